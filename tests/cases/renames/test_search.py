from blog.index import search as look_up
from blog.tools.search import search


def test_it() -> None:
    assert "not how others" in look_up("x")
    assert search.__name__
