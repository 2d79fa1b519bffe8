"""Crawlers by their product tokens: who is who, as their owners publish it."""

__all__ = ["AI_TOKENS", "ASKED_TOKENS", "RETIRED_TOKENS", "SEARCH_TOKENS"]

AI_TOKENS = (
    "GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "Claude-SearchBot", "Google-Extended",
    "CCBot", "PerplexityBot", "Perplexity-User", "Applebot-Extended", "Amazonbot", "Bytespider", "cohere-ai",
    "Meta-ExternalAgent", "MistralAI-User", "DuckAssistBot",
)  # fmt: skip
"""Crawlers that read for AI products."""

RETIRED_TOKENS = {
    "anthropic-ai": "ClaudeBot",
    "claude-web": "ClaudeBot",
    "gpt-bot": "GPTBot",
    "gptbots": "GPTBot",
    "chatgpt": "ChatGPT-User",
    "openai": "GPTBot",
    "claude-bot": "ClaudeBot",
    "claude": "ClaudeBot",
    "anthropic": "ClaudeBot",
    "perplexity": "PerplexityBot",
    "perplexity-bot": "PerplexityBot",
    "google-extend": "Google-Extended",
    "googleextended": "Google-Extended",
    "facebookbot": "Meta-ExternalAgent",
    "commoncrawl": "CCBot",
    "cc-bot": "CCBot",
}
"""Tokens of AI crawlers that no crawler answers to, with the token of today."""

SEARCH_TOKENS = ("Googlebot", "Bingbot", "DuckDuckBot", "Applebot", "YandexBot", "Baiduspider", "Yeti", "Qwantbot")
"""Crawlers of the major search engines."""

ASKED_TOKENS = ("Googlebot", "Bingbot", "*")
"""For whom robots.txt is asked whether a sitemap or a listed page may be read: the two largest, and everybody else."""
