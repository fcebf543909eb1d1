/* What carries meaning is seen in both themes: contrasts as WCAG 2.2 asks for. */
import { interpolateRgb } from "d3-interpolate";
import { describe, expect, test } from "vitest";
import { DARK, LIGHT } from "../../streamlab/views/kit/js/palette.js";
import { asLine, contrast } from "../../streamlab/views/timeline/js/colours.js";

const GRAPHICS = 3, TEXT = 4.5, SEEN = 1.25;
const seenThrough = (paper, colour, opacity) => contrast(interpolateRgb(paper, colour)(opacity), paper);

describe.each([["light", LIGHT, LIGHT.surface], ["dark", DARK, DARK.surface]])("in the %s theme", (name, theme, card) => {
  const { hues, ...named } = theme;
  test.each([["picture", theme.surface], ["card", card]])("lines, edges and marks on a %s", (_, paper) => {
    const colours = { ...hues, ...Object.fromEntries(["edge", "ghost", "outline", "control", "accent", "lit", "bar", "path"].map((each) => [each, named[each]])) };
    const faint = Object.entries(colours).filter(([, colour]) => contrast(colour, paper) < GRAPHICS);
    expect(faint).toEqual([]);
    expect(["ink", "muted", "up", "down", "guess"].filter((each) => contrast(theme[each], paper) < TEXT)).toEqual([]);
  });
  // of a page's learners, as streamlab.views.timeline.bands has them
  const learners = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B07800", "#3D93C4", "#7F7F7F", "#A0522D"].map((each) => asLine(theme, each));
  test("curves", () => {
    expect(learners.filter((each) => contrast(each, card) < GRAPHICS)).toEqual([]);
  });
  test("curves beyond the playhead, and bands", () => {
    const through = (opacity) => Math.min(...[...hues, ...learners].map((each) => seenThrough(card, each, opacity)));
    // on white no hue that is told from black is 3:1 and pale at once: what is pale there was seen strong before
    expect(through(theme.faint)).toBeGreaterThan(name === "dark" ? GRAPHICS : 1.7);
    expect(through(theme.band)).toBeGreaterThan(SEEN);
  });
});
