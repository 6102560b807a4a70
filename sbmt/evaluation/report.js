"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 25;
  const TAGS = { d: "del", a: "ins" };  // what a screen reader can tell
  const $ = (id) => document.getElementById(id);
  const controls = { sort: $("sort"), order: $("order"), kind: $("kind"), who: $("who"), text: $("text"), removed: $("removed") };
  let page = 0;

  /* An element with a class and children; strings become text, never markup. */
  const make = (tag, name, ...children) => {
    const node = document.createElement(tag);
    if (name) node.className = name;
    node.append(...children);
    return node;
  };

  /* A line in its own direction, whatever its script. */
  const line = (tag, name, ...children) => {
    const node = make(tag, name, ...children);
    node.dir = "auto";
    return node;
  };

  /* "c12r4" and a text: 12 characters as they are, 4 marked as replaced. */
  const marked = (text, runs) => {
    const characters = Array.from(text);
    let place = 0;
    return Array.from(runs.matchAll(/([a-z])(\d+)/g), ([, label, count]) => {
      const piece = characters.slice(place, (place += Number(count))).join("");
      if (label === "c") return piece;
      const node = make(TAGS[label] || "mark", label, piece);
      node.title = data.labels[label];
      return node;
    });
  };

  const orders = [["sentence number", (s) => s.n], ["words of the source", (s) => s.w]];
  data.systems.forEach((system, i) => data.metrics.forEach((metric, k) => {
    orders.push([`${metric}: ${system}`, (s) => data.scores[i][k][s.place]]);
  }));
  const base = data.baseline;
  data.systems.forEach((system, i) => i !== base && data.metrics.forEach((metric, k) => {
    orders.push([`${metric}: ${system} minus ${data.systems[base]}`, (s) => data.scores[i][k][s.place] - data.scores[base][k][s.place]]);
  }));
  data.sentences.forEach((sentence, i) => { sentence.place = i; });
  orders.forEach(([name], i) => controls.sort.append(new Option(name, i)));
  data.systems.forEach((name, i) => controls.who.append(new Option(name, i)));

  const chosen = () => {
    const { kind, who, text, sort, order } = controls;
    const wanted = text.value.trim().toLowerCase();
    const outputs = (s) => (who.value === "" ? s.o : [s.o[who.value]]);
    const key = orders[sort.value][1];
    return data.sentences
      .filter((s) => !kind.value || outputs(s).some((o) => o.k.includes(kind.value)))
      .filter((s) => !wanted || [s.s, ...outputs(s).map((o) => o.t)].some((t) => t.toLowerCase().includes(wanted)))
      .sort((a, b) => order.value * (key(a) - key(b)) || a.n - b.n);
  };

  const system = (sentence, output, i) => {
    const scores = data.metrics.map((metric, k) => `${metric} ${data.scores[i][k][sentence.place].toFixed(1)}`);
    const title = make("h4", "", make("bdi", "", data.systems[i]), make("small", "", [...scores, output.k.join(", ")].join(" · ")));
    const node = make("div", "system", title, line("p", "", ...marked(output.t, output.b)));
    if (controls.removed.checked && !output.k.includes("unchanged")) {
      node.append(line("p", "became", ...marked(sentence.s, output.a)));
    }
    if (output.d && output.d.length) {
      const rules = output.d.map(([rule, owner, score]) => make("li", "", make("code", "", rule), ` ${owner} ${typeof score === "number" ? score.toFixed(2) : score}`));
      node.append(folded(`Rules behind it (${rules.length})`, make("ul", "rules", ...rules)));
    }
    return node;
  };

  const folded = (title, body) => make("details", "", make("summary", "", title), body);

  const card = (sentence) => {
    const node = make("article", "", make("h3", "", `Sentence ${sentence.n} · ${sentence.w} words`), line("p", "source", sentence.s));
    sentence.o.forEach((output, i) => node.append(system(sentence, output, i)));
    if (sentence.r.length) {
      const items = sentence.r.map((text) => line("li", "", text));
      node.append(folded(`References (${items.length})`, make("ol", "refs", ...items)));
    }
    return node;
  };

  const show = () => {
    const found = chosen();
    const pages = Math.max(Math.ceil(found.length / PAGE), 1);
    page = Math.min(page, pages - 1);
    $("list").replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(card));
    $("status").textContent = `${found.length} of ${data.sentences.length} sentences`;
    $("page").textContent = `Page ${page + 1} of ${pages}`;
    $("previous").disabled = page === 0;
    $("next").disabled = page === pages - 1;
  };

  const turn = (by) => { page += by; show(); $("sentences").scrollIntoView(); };
  $("previous").addEventListener("click", () => turn(-1));
  $("next").addEventListener("click", () => turn(1));
  addEventListener("beforeprint", () => $("list").replaceChildren(...chosen().map(card)));  // paper has no pages to turn
  addEventListener("afterprint", show);
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("controls").addEventListener("input", () => { page = 0; show(); });
  show();
})();
