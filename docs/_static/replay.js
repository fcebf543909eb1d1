// A replay is a page of its own, up to a megabyte: it is loaded when somebody clicks its picture.
for (const link of document.querySelectorAll("a.replay")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const frame = document.createElement("iframe");
    frame.className = "replay";
    frame.src = link.href;
    frame.title = link.dataset.title ?? "A replay";
    link.replaceWith(frame);
    frame.focus();
  });
}
