"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (where, what) => Array.from(where.querySelectorAll(what));
  const texts = (where, what) => all(where, what).map((node) => node.textContent);
  const changes = all(document, ".change");
  const lines = all(document, "section > p").filter((p) => p.textContent.trim());

  /* An element; strings become text, never markup. */
  const make = (tag, ...children) => {
    const node = document.createElement(tag);
    node.append(...children);
    return node;
  };

  const button = (text, action) => {
    const node = make("button", text);
    node.type = "button";
    node.addEventListener("click", action);
    return node;
  };

  /* The words of a change on one side ("del" or "ins"), which may be none. */
  const side = (change, tag) => texts(change, `.words > ${tag}`).join("");

  /* The same in a list, where there may be nothing to see of them. */
  const named = (change, tag, nothing) => side(change, tag).trim() || nothing;

  const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  const count = () => {
    const changed = lines.filter((p) => p.querySelector(".change")).length;
    const back = document.querySelectorAll(".back").length;
    $("count").textContent = `${plural(changes.length, "change")} in ${changed} of ${plural(lines.length, "line")}`
      + (back ? `, ${back} switched back` : "");
  };

  const put = (change, back) => {
    change.classList.toggle("back", back);
    change.querySelector(".words").setAttribute("aria-pressed", String(!back));
  };

  for (const change of changes) {
    const words = change.querySelector(".words");
    words.setAttribute("role", "button");
    words.setAttribute("aria-label",
      `${named(change, "del", "nothing")} becomes ${named(change, "ins", "nothing")}`);
    put(change, false);
    for (const left of ["mouseleave", "focusout"]) {
      change.addEventListener(left, () => change.classList.remove("closed"));
    }
  }

  const flip = (event) => {
    const words = event.target.closest(".words");
    if (!words || $("source").checked) return;  // where it would not be seen
    event.preventDefault();
    put(words.parentNode, !words.parentNode.classList.contains("back"));
    count();
  };
  document.addEventListener("click", flip);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") flip(event);
    if (event.key !== "Escape") return;
    all(document, ".change:hover, .change:focus-within").forEach((change) => change.classList.add("closed"));
  });

  /* A text as it stands: what is switched back has the words of the source. */
  const standing = (section) => all(section, ":scope > p").map((p) => {
    const pieces = Array.from(p.childNodes, (node) =>
      node.nodeType === Node.TEXT_NODE ? node.data : side(node, node.classList.contains("back") ? "del" : "ins"));
    return pieces.join("").replace(/\n$/, "") + "\n";
  }).join("");

  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {  // not allowed, or an older browser
      const area = make("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  for (const section of all(document, "section:has(p)")) {
    const copy = button("Copy the text as it stands now", async () => {
      const done = await copied(standing(section));
      copy.focus();
      $("said").textContent = done ? "Copied." : "The browser does not let a page copy: select the text yourself.";
    });
    const before = section.querySelector("h2");
    if (before) {
      copy.setAttribute("aria-label", `${copy.textContent}: ${before.textContent}`);
      before.after(copy);
    } else section.prepend(copy);
  }

  /* Changes of other words, the most frequent first; several rules may make the same. */
  const kinds = new Map();
  for (const change of changes) {
    const key = JSON.stringify(["del", "ins"].map((tag) => named(change, tag, "").toLowerCase()));
    if (!kinds.has(key)) kinds.set(key, { rules: new Set(), wishes: new Set(), same: [] });
    const { rules, wishes, same } = kinds.get(key);
    texts(change, ".rule").forEach((rule) => rules.add(rule));
    texts(change, ".line").forEach((line) => wishes.add(line));
    same.push(change);
  }
  for (const { rules, wishes, same } of Array.from(kinds.values()).sort((a, b) => b.same.length - a.same.length)) {
    const [old, now] = ["del", "ins"].map((tag) => named(same[0], tag, "(nothing)"));
    const back = button("Switch", () => {
      const anyNew = same.some((change) => !change.classList.contains("back"));
      same.forEach((change) => put(change, anyNew));
      count();
    });
    back.setAttribute("aria-label", `Switch ${old}, ${now} everywhere`);
    const codes = (words, name) => Array.from(words, (text) => {
      const code = make("code", text);
      code.className = name;
      return code;
    });
    $("kinds").append(make("tr", make("td", String(same.length)), make("td", `${old} \u2192 ${now}`),
      make("td", ...codes(rules, "")), make("td", ...codes(wishes, "line")), make("td", back)));
  }
  count();
  $("tools").hidden = false;

  /* Paper has the list, whether or not it is open. */
  let wasOpen = false;
  addEventListener("beforeprint", () => { wasOpen = $("list").open; $("list").open = true; });
  addEventListener("afterprint", () => { $("list").open = wasOpen; });
})();
