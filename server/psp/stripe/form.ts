// Stripe's form encoding: nested members in brackets, list items by index.

type FormValue = string | number | boolean | readonly FormValue[] | FormMembers;

export interface FormMembers {
  readonly [name: string]: FormValue | undefined;
}

function isList(value: FormValue): value is readonly FormValue[] {
  return Array.isArray(value);
}

function pairs(name: string, value: FormValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (isList(value)) return value.flatMap((item, index) => pairs(`${name}[${index}]`, item));
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, item]) => pairs(name === "" ? member : `${name}[${member}]`, item));
}

/** Returns the encoded body or query; equal values give equal texts. Omits what is undefined. */
export function encodeForm(members: FormMembers): string {
  return new URLSearchParams(pairs("", members)).toString();
}
