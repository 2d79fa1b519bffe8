"""The disk becomes pages, and stays true to it."""
