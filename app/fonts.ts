// The fonts of what is written in Latin letters. They are preloaded, and used only if they are there when the page is first
// drawn: a font that came later would move the text. Each is cached for good after the first page.
import localFont from "next/font/local";

const sans = localFont({
  src: "../node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2",
  variable: "--font-latin",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
});

const mono = localFont({
  src: "../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  variable: "--font-latin-mono",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
});

/** The class of the document that makes both available to the styles. */
export const FONTS = `${sans.variable} ${mono.variable}`;
