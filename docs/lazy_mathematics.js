// Typesets the formulas of a long page only when they come near the window: hundreds of them at once would take many seconds.
// An element of class `lazy` starts with the class `tex2jax_ignore`, which MathJax respects; until its turn comes its LaTeX can be read.
"use strict";
(function () {
  function typeset(element) {
    element.classList.remove("tex2jax_ignore", "lazy");
    element.classList.add("typeset");
    MathJax.Hub.Queue(["Typeset", MathJax.Hub, element]);
  }

  var near = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (entry.isIntersecting) {
        near.unobserve(entry.target);
        typeset(entry.target);
      }
    });
  }, { rootMargin: "600px 0px" });

  document.querySelectorAll(".lazy").forEach(function (element) { near.observe(element); });
})();
