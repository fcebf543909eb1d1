/* How the panel of a lesson looks. */
export const CSS = `
.sl-view:has(.sl-lesson){font-size:14.5px;line-height:1.5}
.sl-lesson{display:flex;flex-direction:column;height:calc(100dvh - 92px);min-height:340px;border:1px solid var(--sl-line);border-radius:12px;background:var(--sl-paper);
  overflow:hidden}
.sl-lesson :is(h2,p){margin:0}
.sl-lesson [hidden]{display:none!important}
.sl-lesson header{padding:12px 18px 0}
.sl-lesson .sl-where{display:flex;gap:10px;align-items:baseline;justify-content:space-between}
.sl-lesson .sl-lesson-name{font-size:13px;color:var(--sl-muted);min-width:0;overflow-wrap:anywhere}
.sl-lesson .sl-count{font-size:13px;color:var(--sl-muted);white-space:nowrap;font-variant-numeric:tabular-nums}
.sl-lesson .sl-fold{display:none;white-space:nowrap;border:0;background:none;color:var(--sl-accent);font-size:13px;padding:4px;min-height:28px;cursor:pointer;
  text-decoration:underline}
.sl-lesson .sl-progress{height:4px;border-radius:2px;background:var(--sl-track);margin-top:8px;overflow:hidden}
.sl-lesson .sl-progress i{display:block;height:100%;background:var(--sl-accent);border-radius:2px}
.sl-lesson .sl-read{flex:1 1 auto;min-height:0;overflow-y:auto;overflow-x:hidden;padding:14px 18px 16px;overscroll-behavior:contain}
.sl-lesson .sl-read:focus-visible{outline:2px solid var(--sl-accent);outline-offset:-2px}
.sl-lesson h2{font-size:19px;font-weight:650;line-height:1.3;margin-bottom:10px;outline-offset:4px;border-radius:2px}
.sl-lesson h2:focus:not(:focus-visible){outline:none}
.sl-lesson .sl-prose>*{margin:0 0 10px}
.sl-lesson .sl-prose :is(ul,ol){padding-left:20px}
.sl-lesson .sl-prose li{margin:0 0 4px}
.sl-lesson .sl-prose li>p{margin:0}
.sl-lesson .sl-prose code{font:12.5px ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--sl-track);padding:1px 4px;border-radius:4px}
.sl-lesson .sl-prose blockquote{margin-left:0;padding-left:12px;border-left:3px solid var(--sl-line)}
.sl-lesson a{color:var(--sl-accent)}
.sl-lesson .sl-recap{border-top:1px solid var(--sl-line);padding-top:10px} .sl-lesson .sl-was{font-weight:600}
.sl-lesson .sl-question{font-weight:600;margin:6px 0 10px}
.sl-lesson .sl-options{display:grid;gap:8px;margin-bottom:10px}
.sl-lesson .sl-option{display:flex;gap:10px;align-items:center;min-height:44px;padding:8px 12px;text-align:left;border:1px solid var(--sl-control);
  border-radius:8px;background:none;color:var(--sl-text);cursor:pointer;font-size:14px;line-height:1.35}
.sl-lesson .sl-option:hover:not([aria-disabled=true]){background:var(--sl-track)}
.sl-lesson .sl-option[aria-disabled=true]{cursor:default}
.sl-lesson .sl-option[aria-pressed=true]{border-width:2px;border-color:var(--sl-accent);padding:7px 11px}
.sl-lesson .sl-option.sl-true{border:2px solid var(--sl-up);padding:7px 11px;font-weight:600}
.sl-lesson .sl-option.sl-false{border-color:var(--sl-down)}
.sl-lesson .sl-letter{flex:none;width:24px;height:24px;border-radius:12px;background:var(--sl-track);display:inline-flex;align-items:center;
  justify-content:center;font-size:13px;font-weight:600}
.sl-lesson .sl-mark{margin-left:auto;font-size:13px;font-weight:600;white-space:nowrap;color:var(--sl-muted)}
.sl-lesson .sl-true .sl-mark{color:var(--sl-up)}
.sl-lesson .sl-false .sl-mark{color:var(--sl-down)}
.sl-lesson .sl-verdict{font-weight:650;margin:4px 0 6px}
.sl-lesson .sl-answer:has(.sl-verdict:not([hidden])){border-left:3px solid var(--sl-accent);padding-left:12px;margin-top:10px}
.sl-lesson .sl-busy{color:var(--sl-muted);font-size:13px;min-height:1.4em}
.sl-lesson .sl-wrong{color:var(--sl-down);font-weight:600;overflow-wrap:anywhere}
.sl-lesson footer{padding:10px 18px 8px;border-top:1px solid var(--sl-line)}
.sl-lesson .sl-acts{display:flex;flex-wrap:wrap;gap:6px;align-items:center;min-height:44px}
.sl-lesson .sl-acts .sl-button{padding:0 11px}
.sl-lesson .sl-acts>:first-child{margin-right:auto}
.sl-lesson .sl-button{min-height:40px;padding:0 14px;border:1px solid var(--sl-control);border-radius:20px;background:none;color:var(--sl-text);
  cursor:pointer;white-space:nowrap;font-size:14px}
.sl-lesson .sl-button:hover:not(:disabled,[aria-disabled=true]){background:var(--sl-track)}
.sl-lesson .sl-button:disabled{opacity:.5;cursor:default}
.sl-lesson .sl-button[aria-disabled=true]{color:var(--sl-muted);border-color:var(--sl-line);cursor:default}
.sl-lesson .sl-main{background:var(--sl-accent);border-color:var(--sl-accent);color:var(--sl-on);font-weight:600}
.sl-lesson .sl-main:hover:not(:disabled){background:var(--sl-accent);filter:brightness(1.08)}
.sl-lesson .sl-rest{display:flex;justify-content:space-between;gap:10px;margin-top:4px}
.sl-lesson .sl-quiet{border:0;padding:0 2px;min-height:28px;color:var(--sl-muted);font-size:13px;text-decoration:underline;border-radius:4px}
@media (max-width:1000px){
  .sl-lesson{height:50dvh;border-radius:0 0 12px 12px;border-width:0 0 1px;box-shadow:var(--sl-shadow)}
  .sl-lesson .sl-fold{display:inline-block}
  .sl-lesson .sl-where{align-items:center}
  .sl-lesson header{padding:6px 14px 0}
  .sl-lesson .sl-read{padding:10px 14px}
  .sl-lesson h2{font-size:17px;margin-bottom:6px}
  .sl-lesson footer{padding:6px 14px 2px}
  .sl-lesson .sl-button{padding:0 12px}
  .sl-lesson.sl-folded{height:auto;min-height:0}
  .sl-lesson.sl-folded :is(.sl-read,.sl-rest){display:none}
}
@container style(--streamlab-projected:1){
  .sl-view:has(.sl-lesson){font-size:17.3px;line-height:1.25}
  .sl-lesson{display:grid;grid-template:minmax(0,1fr)/minmax(0,1fr) auto;height:var(--sl-lesson);min-height:0;border:0;border-radius:0;box-shadow:none;background:none}
  .sl-lesson :is(header,.sl-rest){display:none}
  .sl-lesson .sl-read{padding:8px 0 4px 17px}
  .sl-lesson .sl-prose{font-size:14.6px}
  .sl-lesson .sl-read:has(.sl-option){display:grid;grid-template-columns:minmax(0,1fr) 282px;column-gap:14px;align-content:start}
  .sl-lesson .sl-read>.sl-options{grid-area:1/2/span 12;margin:0}
  .sl-lesson .sl-read:not(:has(.sl-option))>.sl-options,.sl-lesson .sl-read>.sl-quiet,.sl-lesson .sl-read:has(>.sl-question:not([hidden]))>h2,
  .sl-lesson .sl-read:has(.sl-verdict:not([hidden]))>:is(h2+.sl-prose,.sl-question){display:none}
  .sl-lesson .sl-read:has(.sl-option) .sl-prose{font-size:13px}
  .sl-lesson .sl-options{gap:3px;align-content:start}
  .sl-lesson .sl-question{font-size:14.6px}
  .sl-lesson h2:focus-visible{outline:none}
  .sl-lesson h2{font-size:17.3px;line-height:1.25;margin-bottom:2px}
  .sl-lesson :is(.sl-prose>*,.sl-question){margin:0 0 4px}
  .sl-lesson .sl-option,.sl-lesson .sl-option:is(.sl-true,[aria-pressed=true]){min-height:28px;padding:1px 8px}
  .sl-lesson footer{padding:8px 17px;border:0}
  .sl-lesson .sl-acts{flex-direction:column;align-items:stretch}
  .sl-lesson .sl-acts>:first-child{margin:0}
  .sl-lesson .sl-button{min-height:32px}
}
`;
