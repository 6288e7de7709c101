/// How the page looks: light and dark, wide and narrow, on screen and on paper.
///
/// Text has a contrast of at least 4.5 to 1 and drawings of 3 to 1 against what is behind them (WCAG 2.2, 1.4.3 and
/// 1.4.11); no colour stands alone for anything.
enum PageStyle {
    /// The style sheet; names of classes are those of ``ReportPage`` and the drawings, colours those that the script
    /// reads.
    static let text = """
        :root{--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--link:#0550ae;
        --frame:#3b76b0;--hole:#c62828;--exposure:#00796b;--luma:#8a6d00;--edge:#b35900;--pulse:#7b3fb5;
        --write:#57606a;--doubt:#c62828;--temperature:#a8325a}
        @media (prefers-color-scheme:dark){:root{--back:#10151b;--text:#e6edf3;--soft:#a3adb8;
        --line:#39424d;--panel:#1a212a;--link:#79b8ff;--frame:#6aa5dd;--hole:#ff7b72;--exposure:#4db6a5;
        --luma:#d4b03f;--edge:#f0a050;--pulse:#c297f0;--write:#a3adb8;--doubt:#ff7b72;--temperature:#f08ab0}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:72rem;padding:1rem 1.25rem 3rem;background:var(--back);color:var(--text);
        font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
        a{color:var(--link)}
        h1{font-size:1.6rem;margin:.5rem 0 .25rem;overflow-wrap:anywhere}
        h2{font-size:1.15rem;margin:2.25rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
        .verdict{display:inline-block;margin:.25rem 0 .75rem;padding:.3rem .8rem;border-radius:.3rem;
        font-weight:600;color:#fff}
        .verdict span{font-weight:400;margin-left:.5rem}
        .good{background:#1a7f37}.bad{background:#b42318}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.25rem;margin:.5rem 0}
        dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
        nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:1rem;padding:.5rem 0;
        border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
        .findings{list-style:none;margin:0;padding:0}
        .findings li{padding:.4rem .75rem;margin:.4rem 0;border-left:4px solid var(--line);
        background:var(--panel)}
        .findings .over{border-color:var(--hole)}
        .findings strong{margin-right:.5rem}
        .look{color:var(--soft);display:block;font-size:.9rem}
        .scroll{overflow:auto;max-height:28rem;margin:.75rem 0;border:1px solid var(--line)}
        table{border-collapse:collapse;width:100%}
        th,td{padding:.25rem .75rem;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap}
        th{position:sticky;top:0;background:var(--panel);font-weight:600}
        tr:last-child td{border-bottom:0}
        .number{text-align:right}
        figure{margin:1rem 0}
        figcaption{color:var(--soft);margin-bottom:.35rem}
        figcaption strong{color:var(--text);margin-right:.5rem}
        .pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13rem,45%),1fr));gap:1rem}
        .pictures figure{margin:0}.pictures img{display:block;width:100%;height:auto;border:1px solid var(--line)}
        .pictures figcaption{font-size:.85rem;margin-top:.3rem;overflow-wrap:anywhere}
        svg{display:block;width:100%;height:auto;max-width:44rem}
        #overview{max-width:none;touch-action:none}
        .scale{fill:var(--soft);font:12px system-ui,sans-serif}
        .grid{stroke:var(--line);fill:none;stroke-dasharray:2 4}.axis{stroke:var(--soft);fill:none}
        .bar,.frame{fill:var(--frame)}.point{fill:var(--luma)}.hole{fill:var(--hole)}.exposure{fill:var(--exposure)}
        .luma{fill:var(--luma)}.edge{fill:var(--edge)}.pulse{fill:var(--pulse)}.write{fill:var(--write)}
        .doubt{fill:var(--doubt)}.temperature{fill:var(--temperature)}
        .window{fill:var(--link);fill-opacity:.08;stroke:var(--link)}
        canvas{display:block;width:100%;border:1px solid var(--line);cursor:grab;touch-action:none}
        canvas:focus-visible,.scroll:focus-visible,a:focus-visible,button:focus-visible{
        outline:2px solid var(--link);outline-offset:2px}
        .controls{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.5rem 0}
        .controls span{color:var(--soft);font-size:.9rem}
        button{font:inherit;padding:.15rem .7rem;border:1px solid var(--line);border-radius:.25rem;
        background:var(--panel);color:var(--text);cursor:pointer}
        #readout{min-height:1.5em;margin:.35rem 0;color:var(--soft)}
        footer{margin-top:3rem;color:var(--soft);font-size:.9rem}
        @media (max-width:40rem){.scale{font-size:13px}
        #timeline figure{overflow-x:auto}#overview{min-width:56rem}}
        @media (max-width:28rem){dl{grid-template-columns:1fr}dt{margin-top:.3rem}}
        @media print{:root{--back:#fff;--text:#000;--soft:#444;--line:#bbb;--panel:#fff;--link:#000;
        --frame:#3b76b0;--hole:#c62828;--exposure:#00796b;--luma:#8a6d00;--edge:#b35900;--pulse:#7b3fb5;
        --write:#57606a;--doubt:#c62828;--temperature:#a8325a}
        body{max-width:none;font-size:10pt}nav,#zoom,.window{display:none}
        .scroll{max-height:none;overflow:visible;border:0}td,th{white-space:normal;padding:.1rem .4rem}
        section,figure,tr{break-inside:avoid-page}#holes,#events,#settings,#slots{break-inside:auto}
        .verdict,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        .good,.bad{color:#fff}}
        """
}
