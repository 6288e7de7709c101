/// What draws the zoomed timeline, in the page.
///
/// It reads ``TimelineData`` from the element `data`, draws on `detail`, moves `window` over the overview and prints
/// what is under the pointer in `readout`. Links with `data-t` (a session time in nanoseconds) move the view there.
/// Without it the page has everything but the zoomed part, which stays hidden.
enum PageScript {
    /// ECMAScript that also stands in a CDATA section: it must not hold the characters that end one.
    ///
    /// The numbers 120, 800 and 1000 are those of ``TimelineDrawing``'s overview.
    static let text = #"""
        'use strict';
        (() => {
        const data = JSON.parse(document.getElementById('data').textContent);
        const count = data.frames.length, end = count * data.width;
        const canvas = document.getElementById('detail'), readout = document.getElementById('readout');
        if (!canvas || !count) return;
        document.getElementById('zoom').hidden = false;
        const dense = pairs => { const a = new Float64Array(count);
          for (let i = 0; i < pairs.length; i += 2) a[pairs[i]] = pairs[i + 1]; return a; };
        const spread = runs => { const low = new Float64Array(count).fill(NaN), high = low.slice();
          for (let i = 0; i < runs.length; i += 4)
            for (let k = 0; k < runs[i + 1]; k++) {
              low[runs[i] + k] = runs[i + 2]; high[runs[i] + k] = runs[i + 3]; }
          return {low, high}; };
        const counts = {frames: Float64Array.from(data.frames)};
        for (const name of ['holes', 'edges', 'pulses', 'writes', 'doubts']) counts[name] = dense(data[name]);
        const bands = {};
        for (const name of ['exposure', 'luma', 'temperature']) bands[name] = spread(data[name]);
        const exposure = bands.exposure;
        const least = data.slots ? 1e5 : data.width * 8;
        let from = 0, to = end, left = 120, right = 80;
        const time = ns => { const a = Math.abs(ns);
          const [u, n] = a >= 1e9 ? [1e9, 's'] : a >= 1e6 ? [1e6, 'ms'] : a >= 1e3 ? [1e3, 'us'] : [1, 'ns'];
          return +(ns / u).toPrecision(6) + ' ' + n; };
        const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
        const limits = r => { let a = Infinity, b = -Infinity;
          for (let i = 0; i < count; i++) { if (r.low[i] < a) a = r.low[i]; if (r.high[i] > b) b = r.high[i]; }
          return [a, b]; };
        const tracks = data.tracks, bottom = data.bottom;
        const of = kind => tracks.find(t => t.kind === kind);
        for (const t of tracks) if (t.form === 'band') t.limits = limits(bands[t.key]);
        canvas.style.height = bottom + 30 + 'px';
        function draw() {
          const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
          canvas.width = w * ratio; canvas.height = h * ratio;
          const c = canvas.getContext('2d'); c.scale(ratio, ratio); c.clearRect(0, 0, w, h);
          c.font = '12px system-ui,sans-serif'; c.textBaseline = 'middle';
          const room = w - left - right, at = t => left + (t - from) / (to - from) * room;
          c.fillStyle = colour('soft'); c.textAlign = 'right';
          for (const t of tracks) c.fillText(t.name, left - 8, t.top + t.tall / 2);
          c.textAlign = 'left';
          for (const t of tracks) if (t.form === 'band') {
            c.fillText(t.most, w - right + 6, t.top + 6);
            if (t.least !== t.most) c.fillText(t.least, w - right + 6, t.top + t.tall - 6); }
          c.save(); c.beginPath(); c.rect(left, 0, room, h); c.clip();
          const first = Math.max(0, Math.floor(from / data.width)),
            last = Math.min(count - 1, Math.floor(to / data.width));
          const step = Math.max(1, Math.floor((last - first + 1) / room));
          const x0 = i => Math.floor(at(i * data.width)),
            wide = (i, n) => Math.max(1, Math.floor(at((i + n) * data.width)) - x0(i));
          const total = (name, i) => { let s = 0;
            for (let k = i; k < Math.min(i + step, count); k++) s += counts[name][k]; return s; };
          const begin = first - first % step;
          let most = 1;
          for (let i = begin; i <= last; i += step) most = Math.max(most, total('frames', i) + total('holes', i));
          const single = data.slots && visible() <= room / 3;
          for (let i = begin; i <= last; i += step) {
            const upTo = Math.min(i + step, count), x = x0(i), wd = wide(i, step);
            const sum = name => total(name, i);
            const bar = (n, y, tall, kind) => { if (!n) return;
              const hh = Math.max(3, tall * n / most);
              c.fillStyle = colours[kind]; c.fillRect(x, y + tall - hh, wd, hh); };
            if (!single) for (const t of tracks)
              if (t.form === 'bar') bar(sum(t.key), t.top, t.tall, t.kind);
            const band = (r, [a, b], y, tall, kind) => { let lo = Infinity, hi = -Infinity;
              for (let k = i; k < upTo; k++) {
                if (r.low[k] < lo) lo = r.low[k]; if (r.high[k] > hi) hi = r.high[k]; }
              if (lo > hi) return; const v = q => y + (tall - 3) * (b > a ? 1 - (q - a) / (b - a) : .5);
              c.fillStyle = colours[kind]; c.fillRect(x, v(hi), Math.max(wd, 3), v(lo) - v(hi) + 3); };
            for (const t of tracks) {
              if (t.form === 'band') band(bands[t.key], t.limits, t.top, t.tall, t.kind);
              if (t.form === 'tick' && sum(t.key)) {
                c.fillStyle = colours[t.kind]; c.fillRect(x, t.top, Math.max(2, Math.min(wd, 6)), t.tall); } }
          }
          if (single) for (const s of data.slots) {
            const a = at(s[1]), b = at(s[2]);
            if (b < left || a > w) continue;
            const t = of(s[3] < 0 ? 'frame' : 'hole'); if (!t) continue;
            c.fillStyle = colours[t.kind];
            c.fillRect(a, t.top + t.tall / 5, Math.max(2, b - a), t.tall * .8); }
          c.strokeStyle = colours.link; c.globalAlpha = .5;
          const changes = data.changes.filter(m => m[0] >= from && m[0] <= to);
          if (changes.length < room / 16) for (const [t] of changes) {
            c.beginPath(); c.moveTo(at(t), 40); c.lineTo(at(t), bottom - 4); c.stroke(); }
          c.restore();
          c.fillStyle = colours.soft; c.textAlign = 'left';
          if (!single) c.fillText(most, w - right + 6, 6);
          axis(c, w, room, at);
          const box = document.getElementById('window');
          box.setAttribute('x', 120 + 800 * from / end);
          box.setAttribute('width', Math.max(2, 800 * (to - from) / end));
        }
        const visible = () => (data.slots || []).filter(s => s[2] >= from && s[1] <= to).length;
        let colours = {};
        const read = () => { for (const n of ['frame', 'hole', 'exposure', 'luma', 'edge', 'pulse', 'write',
          'doubt', 'temperature', 'link', 'soft']) colours[n] = colour(n); };
        function axis(c, w, room, at) {
          const raw = (to - from) / Math.max(2, Math.floor(room / 120)), p = 10 ** Math.floor(Math.log10(raw));
          const step = [1, 2, 5, 10].map(f => f * p).find(s => s >= raw);
          c.fillStyle = c.strokeStyle = colours.soft; c.textAlign = 'center';
          c.beginPath(); c.moveTo(left, bottom + .5); c.lineTo(w - right, bottom + .5); c.stroke();
          for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
            const x = at(t); c.beginPath(); c.moveTo(x, bottom); c.lineTo(x, bottom + 4); c.stroke();
            c.fillText(t === 0 ? '0' : time(t), x, bottom + 14); }
        }
        function view(a, b) {
          const span = Math.min(end, Math.max(Math.min(least, end), b - a));
          let start = (a + b) / 2 - span / 2; start = Math.max(0, Math.min(end - span, start));
          from = start; to = start + span; draw(); }
        const zoom = (factor, t) => view(t - (t - from) * factor, t + (to - t) * factor);
        const move = part => { const d = (to - from) * part; view(from + d, to + d); };
        const under = e => { const r = canvas.getBoundingClientRect();
          return from + (e.clientX - r.left - left) / (r.width - left - right) * (to - from); };
        function describe(t) {
          if (t < 0 || t > end) { readout.textContent = '\u00a0'; return; }
          const i = Math.min(count - 1, Math.floor(t / data.width)), near = (to - from) / 100, words = [time(t)];
          if (data.slots && data.slots.length) {
            let best = data.slots[0];
            const away = s => Math.abs((s[1] + s[2]) / 2 - t);
            for (const s of data.slots) if (away(s) < away(best)) best = s;
            words.push('slot ' + best[0] + (best[3] < 0 ? ' frame' : ' hole: ' + data.reasons[best[3]])
              + (best[4] === null ? '' : ', mean pixel value ' + best[4] / 1000));
          } else words.push(counts.frames[i] + ' frames, ' + counts.holes[i] + ' holes in this column');
          if (!Number.isNaN(exposure.low[i])) words.push('exposure ' + time(exposure.low[i])
            + (exposure.high[i] > exposure.low[i] ? ' to ' + time(exposure.high[i]) : ''));
          for (const name of ['edges', 'pulses', 'writes', 'doubts'])
            if (counts[name][i]) words.push(counts[name][i] + ' ' + (name === 'doubts' ? 'doubtful' : name));
          const nearby = data.marks.concat(data.changes).filter(m => Math.abs(m[0] - t) < near);
          for (const m of nearby.slice(0, 3)) words.push(m[1]);
          readout.textContent = words.join(' · '); }
        canvas.addEventListener('wheel', e => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : .8, under(e)); },
          {passive: false});
        let held = null;
        canvas.addEventListener('pointerdown', e => {
          held = [e.clientX, from, to]; canvas.setPointerCapture(e.pointerId); });
        canvas.addEventListener('pointerup', () => { held = null; });
        canvas.addEventListener('pointermove', e => { describe(under(e)); if (!held) return;
          const d = (held[0] - e.clientX) / (canvas.clientWidth - left - right) * (held[2] - held[1]);
          view(held[1] + d, held[2] + d); });
        const acts = {in: () => zoom(.5, (from + to) / 2), out: () => zoom(2, (from + to) / 2),
          left: () => move(-.25), right: () => move(.25), all: () => view(0, end)};
        const keys = {'+': 'in', '=': 'in', '-': 'out', ArrowLeft: 'left', ArrowRight: 'right', Home: 'all'};
        canvas.addEventListener('keydown', e => { const act = keys[e.key]; if (!act) return;
          e.preventDefault(); acts[act](); describe((from + to) / 2); });
        document.querySelectorAll('[data-do]').forEach(b =>
          b.addEventListener('click', () => acts[b.dataset.do]()));
        document.querySelectorAll('[data-t]').forEach(a => a.addEventListener('click', () => {
          const t = +a.dataset.t, span = Math.max(least, Math.min(end, data.width * 64, 2e9));
          view(t - span / 2, t + span / 2); describe(t); }));
        document.getElementById('overview').addEventListener('click', e => {
          const r = e.currentTarget.getBoundingClientRect(),
            t = ((e.clientX - r.left) / r.width * 1000 - 120) / 800 * end;
          view(t - (to - from) / 2, t + (to - from) / 2); });
        window.addEventListener('resize', draw);
        matchMedia('(prefers-color-scheme:dark)').addEventListener('change', () => { read(); draw(); });
        read(); view(0, end);
        })();
        """#
}
