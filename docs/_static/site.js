// The theme's arrows that unfold the list of pages have no name that a screen reader could say.
for (const arrow of document.querySelectorAll("li > details > summary")) {
  const page = arrow.closest("li").querySelector("a")?.textContent.trim();
  arrow.setAttribute("aria-label", page ? `Pages below ${page}` : "Pages below");
}
