"""The smallest applications of the frameworks the doors are for: each answers "the app's own" everywhere."""

from typing import Any


def starlette_app() -> Any:
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    async def own(request: Any) -> PlainTextResponse:
        return PlainTextResponse("the app's own")

    return Starlette(routes=[Route("/{path:path}", own, methods=["GET", "POST"])])


def flask_app() -> Any:
    from flask import Flask

    app = Flask("own")
    app.add_url_rule("/", "root", lambda: "the app's own", methods=["GET", "POST"])
    app.add_url_rule("/<path:path>", "own", lambda path: "the app's own", methods=["GET", "POST"])
    return app


def _django() -> None:
    import django
    from django.conf import settings
    from django.http import HttpResponse
    from django.urls import re_path

    if not settings.configured:
        urls = type("urls", (), {"urlpatterns": [re_path(".*", lambda request: HttpResponse("the app's own"))]})
        settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=urls, SECRET_KEY="x", USE_TZ=True)
        django.setup()


def django_wsgi() -> Any:
    from django.core.wsgi import get_wsgi_application

    _django()
    return get_wsgi_application()


def django_asgi() -> Any:
    from django.core.asgi import get_asgi_application

    _django()
    return get_asgi_application()
