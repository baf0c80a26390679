// Typesets the formulas of a long page only when they come near the window: hundreds of them at once would take many seconds.
// An element of class `lazy` starts with the class `tex2jax_ignore`, which MathJax respects; until its turn comes its LaTeX can be read.
"use strict";
(function () {
  // What the address leads to moves while the formulas above it find their height. It is held until the reader moves by himself.
  var held = true;
  ["wheel", "touchmove", "keydown", "mousedown"].forEach(function (act) {
    window.addEventListener(act, function () { held = false; }, { passive: true });
  });

  function hold() {
    var target = document.getElementById(window.location.hash.slice(1));
    if (held && target) (target.closest("tr") || target).scrollIntoView();
  }

  function typeset(element) {
    element.classList.remove("tex2jax_ignore", "lazy");
    element.classList.add("typeset");
    MathJax.Hub.Queue(["Typeset", MathJax.Hub, element], hold);
  }

  // On a wide window the text scrolls in an element of its own, on a phone with the window.
  var text = document.getElementById("doc-content");
  var scrolls = text && text.scrollHeight > text.clientHeight && getComputedStyle(text).overflowY !== "visible";

  var near = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (entry.isIntersecting) {
        near.unobserve(entry.target);
        typeset(entry.target);
      }
    });
  }, { root: scrolls ? text : null, rootMargin: "600px 0px" });

  document.querySelectorAll(".lazy").forEach(function (element) { near.observe(element); });
})();
