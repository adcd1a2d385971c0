// A merchant's brand on the payer's page.

export interface Brand {
  /** Such as `#1b7f5c`; null for none. */
  readonly color: string | null;
  /** The SHA-256 of the logo, in hex; null without a logo. */
  readonly logoSha256: string | null;
}

/** What a change sets; the logo stays if it is omitted, and goes if it is null. */
export interface BrandChange {
  readonly color: string | null;
  /** A PNG file. */
  readonly logo?: Buffer | null | undefined;
}

/** In bytes. A request with the logo as base64 stays below the limit of bodies. */
export const LARGEST_LOGO = 40_000;
/** In pixels. */
export const LONGEST_LOGO_SIDE = 1_024;

export const LOGO_RULE =
  `must be a PNG picture of at most ${LARGEST_LOGO / 1_000} kB ` +
  `and ${LONGEST_LOGO_SIDE} × ${LONGEST_LOGO_SIDE} pixels`;

export const COLOR_RULE = "must be # and six hexadecimal digits, such as #1b7f5c";

/** Returns the color in lower case, or null if the text is none. */
export function readColor(typed: string): string | null {
  const color = typed.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(color) ? color : null;
}
