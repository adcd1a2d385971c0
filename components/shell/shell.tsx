// The frame of every dashboard page: skip link, side or drawer, banner of the environment, content.
"use client";
import { CircleDollarSign, FlaskConical, Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { ApiProvider } from "../trpc/provider";
import { Announcer } from "../ui/announcer";
import { Dialog } from "../ui/dialog";
import { Wordmark } from "../ui/mark";
import { Keyboard, type OpenDialog } from "./keyboard";
import { LiveChanges } from "./live-changes";
import { SearchButton } from "./search/search-button";
import { ShellProvider, type ShellValue } from "./shell-context";
import { SideNavigation } from "./side-navigation";
import { StaleNotice } from "./stale-notice";
import { SuspensionBanner } from "./suspension-banner";

interface ShellProps {
  readonly value: ShellValue;
  readonly children: ReactNode;
}

export function Shell({ value, children }: ShellProps) {
  const texts = useTexts();
  const [open, setOpen] = useState<OpenDialog>(null);
  return (
    <ApiProvider>
      <ShellProvider value={value}>
        <LiveChanges>
          <Announcer>
            <a
              href="#content"
              className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-sm text-canvas focus:translate-y-0"
            >
              {texts("shell.skipToContent")}
            </a>
            <div className="min-h-dvh xl:grid xl:grid-cols-[15rem_minmax(0,1fr)]">
              <aside
                aria-label={texts("shell.merchantAndPages")}
                className="sticky top-0 hidden h-dvh border-r border-line xl:block"
              >
                <SideNavigation />
              </aside>
              <div className="flex min-w-0 flex-col">
                <header>
                  <TopRow onSearch={() => setOpen("search")} />
                  <SuspensionBanner />
                  <EnvironmentBanner environment={value.environment} />
                </header>
                <main
                  id="content"
                  tabIndex={-1}
                  className="mx-auto w-full max-w-[84rem] grow px-4 py-6 outline-none sm:px-8 sm:py-8"
                >
                  {children}
                </main>
              </div>
            </div>
            <StaleNotice />
            <Keyboard open={open} onOpen={setOpen} />
          </Announcer>
        </LiveChanges>
      </ShellProvider>
    </ApiProvider>
  );
}

const bannersIn = (texts: Texts) =>
  ({
    test: { text: texts("shell.testBanner"), look: "bg-warn-soft text-warn", Icon: FlaskConical },
    live: {
      text: texts("shell.liveBanner"),
      look: "bg-ink text-canvas",
      Icon: CircleDollarSign,
    },
  }) as const;

/** On every page, so that nobody takes one environment for the other. */
function EnvironmentBanner({ environment }: Pick<ShellValue, "environment">) {
  const texts = useTexts();
  const { text, look, Icon } = bannersIn(texts)[environment];
  return (
    <p className={`flex items-center justify-center gap-2 px-4 py-1.5 text-xs font-medium ${look}`}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {text}
    </p>
  );
}

/** The search; on narrow screens also the logo and the drawer, which closes after a navigation. */
function TopRow({ onSearch }: { readonly onSearch: () => void }) {
  const texts = useTexts();
  const pathname = usePathname();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <div className="flex items-center justify-between gap-4 border-b border-line px-4 py-2 sm:px-8">
      <span className="xl:hidden">
        <Wordmark />
      </span>
      <SearchButton onOpen={onSearch} />
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpenAt(pathname)}
        className="flex min-h-10 items-center gap-2 rounded-md px-2 text-sm font-medium hover:bg-sunken xl:hidden"
      >
        <Menu className="size-5" aria-hidden="true" />
        {texts("shell.menu")}
      </button>
      {openAt === pathname ? (
        <Dialog title={texts("shell.menu")} tone="side" isTitleHidden onClose={() => setOpenAt(null)}>
          <SideNavigation />
        </Dialog>
      ) : null}
    </div>
  );
}
