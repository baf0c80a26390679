// Adds sections of the book to the symbols that Doxygen found, in the frame of the results: those whose titles fit, then others.
"use strict";
(function () {
  var most = 25;
  var asked = unescape(window.location.search.slice(1)).toLowerCase().trim().replace(/\s+/g, " ");
  var results = document.getElementById("SRIndex");
  var keys = window.searchResults || new SearchResults("keys");  // the frame without symbols has none
  if (asked.length < 3) return;

  // A word counts from its beginning, so that "mass" finds "masses" and not "biomass".
  function begins(text, word) {
    var at = text.indexOf(word);
    while (at > 0 && /[a-z0-9à-ÿ]/.test(text[at - 1])) at = text.indexOf(word, at + 1);
    return at >= 0;
  }

  // 3: the title has the words as they are asked for; 2: the text has; 1: the text has each of them.
  function rank(section) {
    var title = section[2].toLowerCase(), text = title + " " + section[3].toLowerCase();
    if (begins(title, asked)) return 3;
    if (begins(text, asked)) return 2;
    return asked.split(" ").every(function (word) { return begins(text, word); }) ? 1 : 0;
  }

  function entry(section, number) {
    var result = document.createElement("div"), inner = document.createElement("div");
    var link = document.createElement("a"), page = document.createElement("span");
    result.className = "SRResult text";
    result.style.display = "block";
    inner.className = "SREntry";
    link.id = "Item" + number;
    link.className = "SRSymbol";
    link.href = "../" + section[0];
    link.target = "_parent";
    link.textContent = section[2];
    link.onclick = function () { parent.searchBox.CloseResultsWindow(); };
    link.onkeydown = link.onkeypress = link.onkeyup = function (event) { return keys.Nav(event, number); };
    page.className = "SRScope";
    page.textContent = section[1] === section[2] ? "" : section[1];
    inner.append(link, page);
    result.append(inner);
    return result;
  }

  var found = [3, 2, 1].flatMap(function (wanted) {
    return textIndex.filter(function (section) { return rank(section) === wanted; });
  }).slice(0, most);

  // The arrow keys go through the numbers of the items; symbols have the first ones.
  var symbols = results.querySelectorAll(".SRResult").length;
  results.append(...found.map(function (section, index) { return entry(section, symbols + index); }));
  if (found.length) document.getElementById("NoMatches").style.display = "none";
})();
