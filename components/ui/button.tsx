import type { AnchorHTMLAttributes, ComponentPropsWithRef } from "react";
import { classNames } from "./class-names";

export type ButtonTone = "primary" | "secondary" | "danger" | "quiet" | "row";
type ButtonSize = "regular" | "medium" | "small";

const BASE =
  "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none " +
  "transition-colors duration-150 ease-calm disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-progress";

const SIZES: Readonly<Record<ButtonSize, string>> = {
  regular: "min-h-11 px-4 text-base",
  medium: "min-h-10 px-3.5 text-sm",
  small: "min-h-8 px-2.5 text-xs",
};

const TONES: Readonly<Record<ButtonTone, string>> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border-line-strong bg-surface text-ink hover:border-ink hover:bg-sunken",
  danger: "border-line-strong bg-surface text-bad hover:border-bad hover:bg-bad-soft",
  /** Primary in the row of a table that has the focus, quiet in all others. */
  row:
    "border-accent bg-surface text-accent hover:bg-accent hover:text-on-accent disabled:border-line-strong " +
    "disabled:bg-surface disabled:text-ink-soft group-focus-within:not-disabled:bg-accent group-focus-within:not-disabled:text-on-accent",
  quiet: "border-transparent bg-transparent text-accent hover:bg-accent-soft",
};

interface ButtonStyle {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
}

function buttonClass({ tone = "secondary", size = "regular" }: ButtonStyle, className: string | undefined): string {
  return classNames(BASE, SIZES[size], TONES[tone], className);
}

type ButtonProps = ComponentPropsWithRef<"button"> & ButtonStyle;

/** The type is `button` by default, so that it submits a form only on purpose. */
export function Button({ tone, size, className, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass({ ...(tone && { tone }), ...(size && { size }) }, className)}
      {...rest}
    />
  );
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & ButtonStyle & { readonly href: string };

/** A link that looks like a button; for navigation, not for actions. */
export function ButtonLink({ tone, size, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonClass({ ...(tone && { tone }), ...(size && { size }) }, className)} {...rest}>
      {children}
    </a>
  );
}
