'use strict';
(() => {
  const box = document.querySelector('.timeline'), end = Number(box.dataset.end);
  const all = selector => [...box.querySelectorAll(selector)];
  const scales = all('.plot > svg'), axes = all('.axis'), values = all('.value'), still = values.map(v => v.textContent);
  const cursor = box.querySelector('.cursor'), range = box.querySelector('.range');
  const least = Math.min(end, Math.max(100, end / 1e4)); // below it, 32-bit coordinates would show
  let from = 0, to = end, at = null; // shown GPU cycles; place of the pointer, 0 to 1

  // [[cycle, value]..] of a path: a value begins at each M and V.
  const data = path => {
    const list = [];
    let cycle = 0;
    for (const [, letter, first, second] of path.getAttribute('d').matchAll(/([MHV])([^MHV ]+)(?: ([^MHV]+))?/g)) {
      if (letter !== 'V') cycle = Number(first);
      if (letter !== 'H') list.push([cycle, path.matches('.bad') ? 'missed' : letter === 'M' ? second : first]);
    }
    return list;
  };
  const lines = [];
  for (const path of all('.plot path'))
    if (path.matches('.bad') && path.previousSibling) lines.at(-1).push(...data(path));
    else if (!path.matches('.bad')) lines.push(data(path));
  for (const line of lines) line.sort((a, b) => a[0] - b[0]);

  // The value at a cycle, or the last before it.
  const value = (line, cycle) => {
    let low = 0, high = line.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line[middle][0] <= cycle) low = middle + 1;
      else high = middle;
    }
    return low ? line[low - 1][1] : '-';
  };

  const draw = () => {
    for (const scale of scales) {
      const view = scale.getAttribute('viewBox').split(' ');
      scale.setAttribute('viewBox', [from, view[1], to - from, view[3]].join(' '));
    }
    for (const axis of axes)
      [...axis.children].forEach((tick, i) => {
        tick.textContent = tick.textContent.replace(/^\d+/, Math.round(from + (to - from) * i / 4));
      });
    const cycle = Math.round(from + at * (to - from));
    values.forEach((v, i) => { v.textContent = at === null ? still[i] : value(lines[i], cycle); });
    cursor.hidden = at === null;
    cursor.style.left = `${100 * at}%`;
    range.textContent = `GPU cycles ${Math.round(from)} to ${Math.round(to)}` + (at === null ? '' : `; pointer: ${cycle}`);
  };
  const show = (first, width) => {
    width = Math.min(end, Math.max(least, width));
    from = Math.min(end - width, Math.max(0, first));
    to = from + width;
    draw();
  };
  const zoom = (factor, place) => show(from + place * (to - from) * (1 - factor), factor * (to - from));
  const keys = {
    '+': () => zoom(0.5, at ?? 0.5), '-': () => zoom(2, at ?? 0.5), '0': () => show(0, end),
    ArrowLeft: () => show(from - (to - from) / 8, to - from), ArrowRight: () => show(from + (to - from) / 8, to - from),
  };
  keys['='] = keys['+'];

  const place = e => {
    const edge = scales[0].parentNode.getBoundingClientRect();
    return Math.min(1, Math.max(0, (e.clientX - edge.left) / edge.width));
  };
  const held = new Map(); // pointers that are down: the place of each
  box.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key)) return;
    e.preventDefault();
    keys[e.key]();
  });
  box.addEventListener('click', e => { if (e.target.matches('button')) keys[e.target.value](); });
  box.addEventListener('wheel', e => {
    if (!e.target.closest('.plot, .axis') || (!e.ctrlKey && !box.contains(document.activeElement))) return;
    e.preventDefault();
    zoom(e.deltaY < 0 ? 0.8 : 1.25, place(e));
  }, {passive: false});
  box.addEventListener('pointerdown', e => {
    if (e.button || !e.target.closest('.plot, .axis')) return;
    box.focus({preventScroll: true});
    box.setPointerCapture(e.pointerId);
    held.set(e.pointerId, at = place(e));
    draw();
  });
  // What is under each finger stays under it: one moves, two zoom.
  box.addEventListener('pointermove', e => {
    const was = held.get(e.pointerId), now = place(e), other = [...held].find(([id]) => id !== e.pointerId);
    if (e.pointerType !== 'touch' || held.size < 2) at = now;
    if (was === undefined) return draw();
    held.set(e.pointerId, now);
    if (!other) return show(from + (was - now) * (to - from), to - from);
    if (Math.abs(now - other[1]) > 0.02) zoom((was - other[1]) / (now - other[1]), other[1]);
  });
  const release = e => held.delete(e.pointerId);
  box.addEventListener('pointerup', release);
  box.addEventListener('pointercancel', release);
  box.addEventListener('pointerleave', e => {
    if (e.pointerType === 'touch') return; // the values stay where the finger was
    at = null;
    draw();
  });

  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Timeline: + and - zoom, arrows move, 0 shows all');
  box.querySelector('.tools').hidden = false;
  draw();
})();
