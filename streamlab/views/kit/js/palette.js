/*
 * One light and one dark theme: what the canvases draw with, and the same as CSS variables.
 *
 * Text holds 4.5:1 on Material UI's surfaces, lines and controls 3:1. Hues are Okabe and Ito's, moved until they do. `faint` is the
 * opacity of a curve beyond what was played, 3:1 too on a dark page; `band` that of the area around a curve.
 */
import { rgb } from "d3-color";
import { interpolateRgb } from "d3-interpolate";
import { interpolateViridis } from "d3-scale-chromatic";
import { clamp } from "./dom.js";

export const LIGHT = {
  surface: "#fbfaf8", paper: "#fff", ink: "#1f2328", muted: "#57606a", line: "#d5d9df", track: "#eceef1", control: "#7c838d", accent: "#1565c0",
  up: "#00609c", down: "#a84300", bar: "#5b8db8", strong: "#000", halo: "rgba(255,255,255,.9)", shadow: "0 2px 10px rgba(0,0,0,.18)",
  edge: "#89919d", ghost: "#89919d", outline: "#6b7480", link: "rgba(87,96,106,.32)", lit: "#b36b00", glow: "rgba(255,193,7,.42)",
  path: "#1f2328", guess: "#96308a", on: "#fff", faint: 0.55, band: 0.26,
  hues: ["#0072b2", "#d55e00", "#00875f", "#b8578f", "#a67000", "#3d93c4", "#a0522d"],
};

export const DARK = {
  surface: "#14171a", paper: "#1e2226", ink: "#e6e8eb", muted: "#a8b0ba", line: "#3a3f47", track: "#272b31", control: "#868e99", accent: "#90caf9",
  up: "#7cc4f0", down: "#ffa45c", bar: "#5c97c7", strong: "#fff", halo: "rgba(0,0,0,.75)", shadow: "0 2px 12px rgba(0,0,0,.6)",
  edge: "#69727e", ghost: "#7f8894", outline: "#8d96a2", link: "rgba(168,176,186,.3)", lit: "#ffd166", glow: "rgba(255,209,102,.3)",
  path: "#fff", guess: "#ee9ade", on: "#10151b", faint: 0.62, band: 0.34,
  hues: ["#4ba3e3", "#f0883e", "#2fc394", "#e08fbf", "#e0b040", "#8fd0f5", "#cf9368"],
};

/** Colours of what was learned since a change, and of what is from before it. */
export const evidenceOf = (theme) => (theme === DARK ? { fresh: "#43c2b0", old: "#8f8677" } : { fresh: "#2a9485", old: "#857b6f" });

export const themeOf = (isDark) => (isDark ? DARK : LIGHT);

const VARIABLES = ["surface", "paper", "muted", "line", "track", "control", "accent", "up", "down", "bar", "shadow", "path", "guess", "on"];
const declare = (theme) => [`--sl-text:${theme.ink}`, ...VARIABLES.map((name) => `--sl-${name}:${theme[name]}`)].join(";");

/** The themes as CSS variables of a view. */
export const THEME_CSS = `.sl-view{${declare(LIGHT)}}\n.sl-view.sl-dark{${declare(DARK)}}\n`;

/** The colour of one of many classes or kinds; with more than there are hues they repeat. */
export const hue = (theme, index) => theme.hues[index % theme.hues.length];

/** A thin wash of a colour on a theme's surface. */
export const tint = (theme, colour, share = 0.14) => interpolateRgb(theme.surface, colour)(share);

/** [red, green, blue] of a colour, 0 to 255. */
export const channels = (colour) => {
  const { r, g, b } = rgb(colour);
  return [r, g, b].map(Math.round);
};

/**
 * `steps` colours from strong (index 0) to weak (last). Strong always means "far from the surface": dark ink on a light page,
 * bright on a dark one, so that what fades recedes into the page in both themes.
 * @returns {{solid: string[], tint: string[], rgb: number[][]}} css colours; `tint` is the same colour as a thin wash
 */
export function ramp(theme, steps) {
  const isDark = theme === DARK;
  const colours = Array.from({ length: steps }, (_, i) => {
    const t = i / (steps - 1);
    const colour = interpolateViridis(isDark ? 0.74 - 0.6 * t : 0.18 + 0.76 * t);
    return interpolateRgb(colour, theme.surface)((isDark ? 0.12 : 0.22) * t * t);
  });
  return { solid: colours, rgb: colours.map(channels), tint: colours.map((colour) => tint(theme, colour, isDark ? 0.3 : 0.2)) };
}

/** How bright a colour looks, 0 to 1. */
export function luminance(channels) {
  const [red, green, blue] = channels.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white text, whichever reads better on the colour. */
export const inkOn = (channels) => (luminance(channels) > 0.18 ? "#000" : "#fff");

/** Colours for a sign of differences, from below 0 to above it. */
export const differences = (theme) => Array.from({ length: 9 }, (_, i) => differing(theme, i / 4 - 1, 1));

/** A named colour of a theme by how strong something is, 0 to 1: from the page's quiet grey on. */
export const strength = (theme, name, share) => interpolateRgb(theme.track, theme[name])(clamp(share, 0, 1));

/** The colour of a difference within ±`end`: blue above 0, orange below, and the page's quiet grey at 0. */
export function differing(theme, value, end) {
  const share = Math.min(Math.abs(value) / end, 1);
  return interpolateRgb(theme.track, value < 0 ? theme.down : theme.up)(share);
}
