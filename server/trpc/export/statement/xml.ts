// Writes XML elements. Text becomes markup only here, so nothing reaches a file unescaped.

/** Well-formed XML. */
export interface Markup {
  readonly markup: string;
}

/** Everything that XML 1.0 forbids, even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** The text as XML shows it, in elements and in attributes; a character that XML forbids becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** An element that holds elements, without those that are null; null if none is left. */
export function element(name: string, ...children: readonly (Markup | null)[]): Markup | null {
  const content = children.flatMap((child) => child?.markup ?? []).join("");
  return content === "" ? null : { markup: `<${name}>${content}</${name}>` };
}

/** An element that holds text; null for no text, because ISO 20022 forbids empty elements. */
export function leaf(
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
): Markup | null {
  if (!text) return null;
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return { markup: `<${name}${written.join("")}>${escapeXml(text)}</${name}>` };
}

/** The first `length` characters, as XML schemas count them. */
export function cut(text: string, length: number): string {
  return [...text].slice(0, length).join("");
}
