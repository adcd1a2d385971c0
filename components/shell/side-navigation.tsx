"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { Wordmark } from "../ui/mark";
import { EnvironmentSwitch } from "./environment-switch";
import { MemberMenu } from "./member-menu";
import { addressOfPage, GROUPS, type Group, PAGES } from "./navigation";
import { useShell } from "./shell-context";
import { WaitingCount } from "./waiting-count";

/** The content of the side, from top to bottom; in a low window the pages scroll, and the member's menu stays. The drawer of narrow screens has the same. */
export function SideNavigation() {
  const texts = useTexts();
  const { environment, member } = useShell();
  return (
    <div className="flex h-full flex-col gap-4 py-4">
      <div className="grid gap-4 px-5">
        <Link href="/" className="w-fit rounded-sm text-lg">
          <Wordmark />
        </Link>
        <p className="truncate text-sm font-medium" title={member.merchantName}>
          {member.merchantName}
        </p>
        <EnvironmentSwitch />
      </div>
      <nav aria-label={texts("shell.dashboard")} className="grid min-h-0 grow content-start gap-4 overflow-y-auto px-3">
        {GROUPS.map((group) => (
          <NavigationGroup key={group} title={group} environment={environment} permissions={member.permissions} />
        ))}
      </nav>
      <div className="px-3">
        <MemberMenu />
      </div>
    </div>
  );
}

interface GroupProps {
  readonly title: Group;
  readonly environment: string;
  readonly permissions: readonly string[];
}

function NavigationGroup({ title, environment, permissions }: GroupProps) {
  const texts = useTexts();
  const pathname = usePathname();
  const pages = PAGES.filter(({ group, permission }) => group === title && permissions.includes(permission));
  if (pages.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p className="caption px-2" id={`navigation-${title}`}>
        {texts(`shell.${title}`)}
      </p>
      <ul aria-labelledby={`navigation-${title}`} className="grid gap-0.5">
        {pages.map(({ path, labelKey, Icon }) => {
          const href = addressOfPage(environment, { path });
          const isHere = pathname === href || (path !== "" && pathname.startsWith(`${href}/`));
          return (
            <li key={path}>
              <Link
                href={href}
                prefetch={false}
                aria-current={isHere ? "page" : undefined}
                className={classNames(
                  "flex min-h-9 items-center gap-2.5 rounded-md px-2 xl:min-h-8.5 text-sm transition-colors duration-150",
                  isHere ? "bg-accent-soft font-semibold text-accent-strong" : "text-ink hover:bg-sunken",
                )}
              >
                <Icon className="size-4.5 shrink-0" aria-hidden="true" />
                {texts(labelKey)}
                {path === "payouts" ? <WaitingCount /> : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
