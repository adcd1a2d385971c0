import type { ReactNode } from "react";

interface PageHeaderProps {
  readonly title: string;
  readonly about?: string;
  readonly children?: ReactNode;
}

export function PageHeader({ title, about, children }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid gap-1">
        <h1 className="text-2xl">{title}</h1>
        {about ? <p className="text-sm text-ink-soft">{about}</p> : null}
      </div>
      {children}
    </header>
  );
}
