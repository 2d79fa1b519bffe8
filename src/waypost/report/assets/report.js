"use strict";
// Everything works without this file: it adds filters, keys, the theme button, and opens what is printed.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const isVisible = (element) => !element.hidden && !element.closest("[hidden]");

for (const section of all(".findings")) {
  const toolbar = section.querySelector(".toolbar");
  if (!toolbar) continue;
  const search = toolbar.querySelector("input");
  const output = toolbar.querySelector("output");
  const openAll = toolbar.querySelector("[data-toggle=all]");
  const findings = all(".finding", section);
  const texts = findings.map((finding) => finding.textContent.toLowerCase());

  const apply = () => {
    const pressed = (name) => all(`.chip[data-${name}][aria-pressed=true]`, toolbar).map((chip) => chip.dataset[name]);
    const severities = pressed("severity");
    const onlyScored = pressed("scored").length > 0;
    const onlyNew = pressed("new").length > 0;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    findings.forEach((finding, number) => {
      const holds = severities.includes(finding.dataset.severity)
        && (!onlyScored || finding.dataset.scored === "yes")
        && (!onlyNew || finding.dataset.new === "yes")
        && words.every((word) => texts[number].includes(word));
      finding.hidden = !holds;
      shown += holds;
    });
    for (const group of all(".group", section)) {
      group.hidden = all(".finding", group).every((finding) => finding.hidden);
    }
    section.querySelector(".none").hidden = shown > 0;
    output.textContent = `${shown.toLocaleString("en")} shown`;
  };

  toolbar.hidden = false;
  search.addEventListener("input", apply);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && search.value) {
      search.value = "";
      event.preventDefault();
      apply();
    }
  });
  for (const chip of all(".chip", toolbar)) {
    chip.addEventListener("click", () => {
      chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
      apply();
    });
  }
  openAll.addEventListener("click", () => {
    const open = openAll.textContent === "Open all";
    for (const finding of findings) finding.open = open;
    openAll.textContent = open ? "Close all" : "Open all";
  });
}

// The keys act outside fields only, and j and k only while the focus is among the findings, so they take none away.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "/") {
    const search = all(".toolbar input").find(isVisible);
    if (search) {
      event.preventDefault();
      search.focus();
    }
  } else if ((event.key === "j" || event.key === "k") && event.target.closest(".findings")) {
    const heads = all(".finding > summary").filter(isVisible);
    const here = heads.indexOf(event.target.closest(".finding")?.querySelector("summary"));
    const next = heads[event.key === "j" ? here + 1 : Math.max(0, here - 1)];
    if (next) next.focus();
  }
});
for (const hints of all(".keys")) hints.hidden = false;

for (const button of all("[data-toggle=theme]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });
}

// Paper cannot be opened: what is closed is opened for the print, and closed again; but the details of pictures stay.
let closed = [];
addEventListener("beforeprint", () => {
  closed = all("details:not([open])").filter((details) => !details.closest(".picture"));
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
  closed = [];
});
