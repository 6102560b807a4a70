"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 25;
  const FEATURE_DECIMALS = 3;
  const TAGS = { d: "del", a: "ins" };  // what a screen reader can tell
  const $ = (id) => document.getElementById(id);
  const controls = { sort: $("sort"), order: $("order"), kind: $("kind"), who: $("who"), text: $("text"), removed: $("removed") };
  const turners = document.querySelectorAll(".pages button");
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

  /* "c12r4" and a text: 12 characters as they are, 4 marked as replaced (said by report.css, from the title). */
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

  data.sentences.forEach((sentence, i) => { sentence.place = i; });
  /* What sentences are sorted by: its name, its value for a sentence and, where cards do not show it anyway, its decimals. */
  const orders = [];
  const offer = (group, name, key, decimals) => {
    group.append(new Option(name, orders.length));
    orders.push({ name, key, decimals });
  };
  const group = (label) => {
    const node = make("optgroup", "");
    node.label = label;
    controls.sort.append(node);
    return node;
  };
  offer(controls.sort, "sentence number", (s) => s.n);
  offer(controls.sort, "tokens of the source", (s) => s.w);
  data.systems.forEach((system, i) => {
    const own = group(system);
    data.metrics.forEach((metric, k) => offer(own, `${metric}: ${system}`, (s) => data.scores[i][k][s.place]));
    data.features.forEach((feature, k) => offer(own, `${feature}: ${system}`, (s) => data.values[i][k][s.place], FEATURE_DECIMALS));
  });
  const base = data.baseline;
  data.systems.forEach((system, i) => {
    if (i === base) return;
    const minus = `${system} minus ${data.systems[base]}`;
    const own = group(minus);
    data.metrics.forEach((metric, k) => {
      const difference = (s) => data.scores[i][k][s.place] - data.scores[base][k][s.place];
      offer(own, `${metric}: ${minus}`, difference, data.decimals[k]);
    });
  });
  data.systems.forEach((name, i) => controls.who.append(new Option(name, i)));

  const chosen = () => {
    const { kind, who, text, sort, order } = controls;
    const wanted = text.value.trim().toLowerCase();
    const outputs = (s) => (who.value === "" ? s.o : [s.o[who.value]]);
    const { key } = orders[sort.value];
    return data.sentences
      .filter((s) => !kind.value || outputs(s).some((o) => o.k.includes(kind.value)))
      .filter((s) => !wanted || [s.s, ...outputs(s).map((o) => o.t)].some((t) => t.toLowerCase().includes(wanted)))
      .sort((a, b) => order.value * (key(a) - key(b)) || a.n - b.n);
  };

  const number = (value, decimals) => value.toFixed(decimals).replace("-", "\u2212");

  const rule = ([text, owner, score]) => {
    const said = [owner && `from ${owner}`, score === null ? "" : `score ${number(score, 2)}`].filter(Boolean);
    return make("li", "", make("code", "", text), " ", said.join(", "));
  };

  const system = (sentence, output, i) => {
    const scores = data.metrics.map((metric, k) => `${metric} ${number(data.scores[i][k][sentence.place], data.decimals[k])}`);
    const title = make("h4", "", make("bdi", "", data.systems[i]), ": ", make("small", "", [...scores, output.k.join(", ")].join(" · ")));
    const node = make("div", "system", title, line("p", "", ...marked(output.t, output.b)));
    if (controls.removed.checked && /[^c\d]/.test(output.a)) {  // a word of the source was not copied
      node.append(line("p", "became", ...marked(sentence.s, output.a)));
    }
    if (output.d && output.d.length) {
      node.append(folded(`Rules behind it (${output.d.length})`, make("ul", "rules", ...output.d.map(rule))));
    }
    return node;
  };

  const folded = (title, body) => make("details", "", make("summary", "", title), body);

  const card = (sentence) => {
    const title = make("h3", "", `Sentence ${sentence.n} · ${sentence.w} token${sentence.w === 1 ? "" : "s"}`);
    const { name, key, decimals } = orders[controls.sort.value];
    if (decimals !== undefined) title.append(" · ", make("bdi", "", name), ` ${number(key(sentence), decimals)}`);
    const node = make("article", "", title, line("p", "source", sentence.s));
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
    page = Math.max(Math.min(page, pages - 1), 0);
    const cards = found.slice(page * PAGE, (page + 1) * PAGE).map(card);
    $("list").replaceChildren(...(cards.length ? cards : [make("p", "", "No sentence is like that.")]));
    document.querySelectorAll(".pages").forEach((node) => {
      node.hidden = pages < 2;
      node.querySelector("span").textContent = `Page ${page + 1} of ${pages}`;
    });
    $("status").textContent = `${found.length} of ${data.sentences.length} sentences, page ${page + 1} of ${pages}`;
    turners.forEach((button) => {
      button.setAttribute("aria-disabled", button.dataset.by === "1" ? page === pages - 1 : page === 0);
    });
  };

  /* The focus goes where the view goes, so that the next step leads into the new sentences. */
  const turn = (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") === "true") return;
    page += Number(event.currentTarget.dataset.by);
    show();
    $("status").focus({ preventScroll: true });
    $("sentences").scrollIntoView();
  };
  turners.forEach((button) => button.addEventListener("click", turn));

  /* Paper has no pages to turn and nothing to unfold. */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    $("list").replaceChildren(...chosen().map(card));
    unfolded = Array.from(document.querySelectorAll("details:not([open])"));
    unfolded.forEach((node) => { node.open = true; });
  });
  addEventListener("afterprint", () => {
    unfolded.forEach((node) => { node.open = false; });
    show();
  });
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("controls").addEventListener("input", () => { page = 0; show(); });
  show();
})();
