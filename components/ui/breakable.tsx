import { Fragment } from "react";

/** A name of the API, such as an action, which breaks after its dots and underscores rather than within a word. */
export function Breakable({ name }: { readonly name: string }) {
  return name.split(/(?<=[._])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
