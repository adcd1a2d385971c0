interface LogoProps {
  readonly src: string;
  /** What it shows, for those who do not see it; empty where the name stands beside it. */
  readonly name: string;
}

/** A merchant's logo, on white in both themes: most logos are made for paper. */
export function Logo({ src, name }: LogoProps) {
  return (
    <span className="inline-flex w-fit max-w-full rounded-md border border-line bg-white p-2">
      {/* oxlint-disable-next-line nextjs/no-img-element -- it is small already, and next/image would fetch and store it */}
      <img src={src} alt={name} className="max-h-12 max-w-full object-contain" />
    </span>
  );
}
