"""What a page says before its scripts are there: its HTML alone would be blank until they have run."""

from __future__ import annotations

__all__ = ["OPENING"]

OPENING = """
{% extends "base.html" %}
{% block loader %}
{{ super() }}
<style>
  #streamlab-opening{position:fixed;inset:0;z-index:2000;background:#fff;color:#1b1f24;
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
  #streamlab-opening b{display:block;padding:12px 24px;font-size:17px;border-bottom:1px solid #d9dde2}
  #streamlab-opening p{margin:24px}
  @media (prefers-color-scheme:dark){ #streamlab-opening{background:#121212;color:#f2f4f7}
    #streamlab-opening b{border-color:#33383e}}
</style>
<div id="streamlab-opening" role="status"><b>{{ title | e }}</b><p>Opening the page …</p></div>
<script>
  {
    const opening = document.getElementById("streamlab-opening");
    const look = () => (window.Bokeh?.documents?.[0]?.is_idle ? opening.remove() : setTimeout(look, 30));
    look();
  }
</script>
{% endblock %}
"""
"""A template of panel-material-ui's page, which goes when the page has drawn itself."""
