// The placeholders of the tables: values that exist only during a run, and texts too long to write out.

/** Values by name: `{{payment_id}}`. */
export type Values = Readonly<Record<string, string>>;

const FORM = /\{\{([a-z_0-9]+)(?::([^{}]*))?\}\}/g;

function at(text: string): [number: number, rest: string] {
  const colon = text.indexOf(":");
  return [Number(text.slice(0, colon)), text.slice(colon + 1)];
}

/** Replaces one character by another of the same alphabets. */
function changed(character: string): string {
  return character === "A" ? "B" : "A";
}

const FUNCTIONS: Readonly<Record<string, (argument: string) => string>> = {
  /** `{{repeat:300:x}}` */
  repeat: (argument) => {
    const [times, text] = at(argument);
    return text.repeat(times);
  },
  /** `{{flip:12:text}}` changes the character at 12. */
  flip: (argument) => {
    const [index, text] = at(argument);
    return text.slice(0, index) + changed(text[index] ?? "") + text.slice(index + 1);
  },
  /** `{{cut:12:text}}` keeps the first 12 characters. */
  cut: (argument) => {
    const [length, text] = at(argument);
    return text.slice(0, length);
  },
  reverse: (argument) => [...argument].reverse().join(""),
  upper: (argument) => argument.toUpperCase(),
  lower: (argument) => argument.toLowerCase(),
  base64: (argument) => Buffer.from(argument).toString("base64"),
};

/**
 * Fills in the text's placeholders, innermost first. Text in the form of a placeholder without a meaning stays:
 * template injections such as `{{7*7}}` must be sent verbatim.
 */
export function fill(text: string, values: Values = {}): string {
  let current = text;
  for (;;) {
    const next = current.replace(FORM, (whole, name: string, argument: string | undefined) => {
      if (argument === undefined) return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
      return Object.hasOwn(FUNCTIONS, name) ? (FUNCTIONS[name]?.(argument) ?? whole) : whole;
    });
    if (next === current) return current;
    current = next;
  }
}
