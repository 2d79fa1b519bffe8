"""The ASGI door: requests become asks, replies become responses."""
