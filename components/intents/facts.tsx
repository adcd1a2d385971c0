import type { ReactNode } from "react";

export type Fact = readonly [label: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl className="grid text-sm sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-x-8">
      {facts.map((fact) =>
        fact === null ? null : (
          <div
            key={fact[0]}
            className="grid border-t border-line py-2 first:border-t-0 sm:col-span-2 sm:grid-cols-subgrid"
          >
            <dt className="text-ink-soft">{fact[0]}</dt>
            <dd className="figures wrap-anywhere">{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
