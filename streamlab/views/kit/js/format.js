/* Numbers and words as people read them. */
const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const SIGNED = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A number with a true minus sign. */
export const withMinus = (text) => text.replace("-", "−");

/** A value of a measure, without the 0 before its decimals: of a name two. */
export const shortly = (value, digits = 2) => withMinus(value.toFixed(digits).replace(/^(-?)0\./, "$1."));

export function formatCount(value) {
  return withMinus(COUNT.format(value));
}

/** Three significant digits below 100, whole numbers above. */
export function formatNumber(value) {
  return Math.abs(value) < 100 ? withMinus(SMALL.format(value)) : formatCount(value);
}

/** Two decimals with a true minus sign; "∞" and "–" where there is no number. */
export function formatSigned(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "–";
  return withMinus(SIGNED.format(Math.round(100 * value) / 100 || 0));
}

/** A share in 0..1 as "12.3 %", small ones as "< 0.1 %". */
export function formatPercent(share) {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return percent >= 99.95 ? "100 %" : `${percent.toFixed(1)} %`;
}

/** ①, ② …; above twenty the number in brackets: what a drift is called. */
export const numbered = (number) => (number <= 20 ? String.fromCodePoint(0x245f + number) : `(${number})`);

/** The sign of a drift by its number; without one that of a mark that people set. */
export const markSign = (number) => (number ? numbered(number) : "▲");

/** Why answers are old ones, or are no longer: how many `rows` `of` those that are kept are from before a mark; "" without one. */
export function fromBefore(before) {
  if (!before) return "";
  const mark = before.drift ? markSign(before.drift) : `row ${formatCount(before.row)}`;
  return `${Math.round((100 * before.rows) / Math.max(before.of, 1))} % of the ${plural(before.of, "row")} kept are from before ${mark}. `;
}

/** "labels", "classes": the plural of a noun. */
export const several = (noun) => `${noun}${noun.endsWith("s") ? "es" : "s"}`;

export const plural = (count, noun) => `${formatCount(count)} ${count === 1 ? noun : several(noun)}`;

/** A text of at most so many characters, the last of them "…" where it was longer. */
export const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text);
