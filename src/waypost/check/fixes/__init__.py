"""Safe fixes of documents: text in, text out. What a person has to decide is never touched."""
