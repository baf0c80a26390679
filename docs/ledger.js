// Search and filters of the ledger. The choice is kept in the address, ledger.html#paper=kim&status=open&text=mass, so that a link can ask for it.
"use strict";
(function () {
  var FIELDS = ["paper", "chapter", "status", "ground"];
  var table = document.querySelector("table.ledger");
  var head = table.querySelector("tr");
  var rows = Array.prototype.slice.call(table.querySelectorAll("tr[data-paper]"));
  // What is searched is the text before MathJax replaces the LaTeX.
  var texts = rows.map(function (row) {
    return (row.dataset.paper + " " + row.textContent).replace(/\s+/g, " ").toLowerCase();
  });

  function element(name, attributes, parent) {
    var made = document.createElement(name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    parent.appendChild(made);
    return made;
  }

  function option(select, value, text) {
    element("option", { value: value }, select).textContent = text;
  }

  function valuesOf(field) {
    return rows.map(function (row) { return row.dataset[field]; })
      .filter(function (value, index, all) { return all.indexOf(value) === index; });
  }

  var form = document.createElement("form");
  form.className = "ledger-filter";
  form.setAttribute("role", "search");
  var search = element("input", { type: "search", placeholder: "search the ledger: mass matrix, 41, Ad …", "aria-label": "search the ledger" }, form);
  var selects = {};
  FIELDS.forEach(function (field) {
    var select = selects[field] = element("select", { name: field, "aria-label": field }, form);
    option(select, "", "any " + field);
    valuesOf(field).forEach(function (value) { option(select, value, value.replace(/_/g, " ")); });
  });
  var clear = element("button", { type: "button" }, form);
  clear.textContent = "all rows";
  var shown = element("output", { "aria-live": "polite" }, form);
  var wide = table.parentNode;
  wide.parentNode.insertBefore(form, wide);

  function apply() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    rows.forEach(function (row, index) {
      var hit = FIELDS.every(function (field) { return !selects[field].value || selects[field].value === row.dataset[field]; }) &&
        words.every(function (word) { return texts[index].indexOf(word) >= 0; });
      row.hidden = !hit;
      count += hit;
    });
    head.hidden = count === 0;
    shown.textContent = count + " of " + rows.length + " rows";
  }

  function writeAddress() {
    var parts = FIELDS.filter(function (field) { return selects[field].value; })
      .map(function (field) { return field + "=" + encodeURIComponent(selects[field].value); });
    if (search.value) parts.push("text=" + encodeURIComponent(search.value));
    history.replaceState(null, "", window.location.pathname + (parts.length ? "#" + parts.join("&") : ""));
  }

  // A fragment without "=" names a row: all rows are shown, and the browser finds it.
  function readAddress() {
    var fragment = window.location.hash.slice(1);
    var wanted = {};
    if (fragment.indexOf("=") > 0) {
      fragment.split("&").forEach(function (part) {
        var pair = part.split("=");
        wanted[pair[0]] = decodeURIComponent(pair[1] || "");
      });
    }
    FIELDS.forEach(function (field) {
      selects[field].value = wanted[field] || "";
      if (selects[field].selectedIndex < 0) selects[field].value = "";
    });
    search.value = wanted.text || "";
    apply();
    if (fragment && fragment.indexOf("=") < 0) {
      var target = document.getElementById(fragment);
      if (target) (target.closest("tr") || target).scrollIntoView();
    } else if (fragment) {
      form.scrollIntoView();
    }
  }

  function change() { apply(); writeAddress(); }
  search.addEventListener("input", change);
  FIELDS.forEach(function (field) { selects[field].addEventListener("change", change); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  clear.addEventListener("click", function () { form.reset(); change(); search.focus(); });
  window.addEventListener("hashchange", readAddress);
  readAddress();
})();
