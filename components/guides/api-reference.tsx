// The API reference: Scalar's script, in our colors, which asks nothing of any other site.
"use client";
import { useEffect, useRef, useState } from "react";
import { Notice } from "../ui/notice";

interface ApiReferenceProps {
  /** The address of the script. */
  readonly script: string;
  /** The address of the OpenAPI document. */
  readonly document: string;
}

interface Scalar {
  createApiReference(place: HTMLElement, configuration: object): { destroy?(): void };
}

/** Scalar's variables in terms of ours, which follow the theme. */
const COLORS = `
.light-mode, .dark-mode {
  --scalar-font: var(--font-sans);
  --scalar-font-code: var(--font-mono);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--ink-soft);
  --scalar-color-3: var(--ink-soft);
  --scalar-color-accent: var(--accent);
  --scalar-background-1: var(--canvas);
  --scalar-background-2: var(--sunken);
  --scalar-background-3: var(--sunken);
  --scalar-background-accent: var(--accent-soft);
  --scalar-border-color: var(--line);
  --scalar-color-green: var(--good);
  --scalar-color-red: var(--bad);
  --scalar-color-yellow: var(--warn);
  --scalar-color-blue: var(--busy);
  --scalar-color-orange: var(--warn);
  --scalar-color-purple: var(--accent);
  --scalar-sidebar-background-1: var(--canvas);
  --scalar-sidebar-color-1: var(--ink);
  --scalar-sidebar-color-2: var(--ink-soft);
  --scalar-sidebar-color-active: var(--accent);
  --scalar-sidebar-item-hover-background: var(--sunken);
  --scalar-sidebar-item-active-background: var(--accent-soft);
  --scalar-sidebar-border-color: var(--line);
  --scalar-button-1: var(--accent);
  --scalar-button-1-color: var(--on-accent);
  --scalar-button-1-hover: var(--accent-strong);
}`;

function isDark(): boolean {
  const { theme } = window.document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

/**
 * Fonts, proxy, telemetry and the links to Scalar's own services are off, and its search: ours also finds operations.
 * Credentials stay in this page's memory.
 */
const configurationOf = (document: string) => ({
  url: document,
  customCss: COLORS,
  theme: "none",
  forceDarkModeState: isDark() ? "dark" : "light",
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  proxyUrl: "",
  hideClientButton: true,
  hideModels: true,
  hideSearch: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  mcp: { disabled: true },
  agent: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  generateOperationSlug: ({ operationId = "" }) => operationId,
});

export function ApiReference({ script, document }: ApiReferenceProps) {
  const place = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    let shown: ReturnType<Scalar["createApiReference"]> | undefined;
    const element = window.document.createElement("script");
    element.src = script;
    element.onload = () => {
      const { Scalar: scalar } = window as typeof window & { Scalar?: Scalar };
      if (place.current && scalar) shown = scalar.createApiReference(place.current, configurationOf(document));
    };
    element.onerror = () => setHasFailed(true);
    window.document.head.append(element);
    return () => {
      shown?.destroy?.();
      element.remove();
    };
  }, [script, document]);

  return (
    <>
      {hasFailed ? (
        <Notice tone="bad" role="alert">
          The reference could not be loaded. Reload the page.
        </Notice>
      ) : null}
      <div ref={place} />
    </>
  );
}
