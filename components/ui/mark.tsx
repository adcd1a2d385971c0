// The logo: a gate between two posts, lifted over running water.
interface MarkProps {
  readonly className?: string;
}

/** The logo alone, in the color of the surrounding text; hidden from screen readers. */
export function Mark({ className }: MarkProps) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2">
      <path d="M4 3v18M20 3v18" strokeLinecap="round" />
      <path d="M8.5 4.5h7v6.5h-7z" fill="currentColor" strokeLinejoin="round" />
      <path d="M8 18.5q2-2.6 4 0t4 0" strokeLinecap="round" />
    </svg>
  );
}

/** The logo with the name beside it. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <Mark className="size-5 text-accent" />
      Sluice
    </span>
  );
}
