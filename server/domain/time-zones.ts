// Names of time zones, and where a browser keeps its own for the next page.

/** The cookie in which a browser tells the name of its zone. */
export const TIME_ZONE_COOKIE = "sluice.zone";

/** Made at the first use, since the browser's pages need only the name above. */
let names: ReadonlySet<string> | undefined;

/** Whether it is an IANA name. Offsets such as "+03:00", which Intl accepts, are none: they ignore daylight saving. */
export function isTimeZone(name: string): boolean {
  names ??= new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return names.has(name);
}
