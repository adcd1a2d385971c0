// The permissions of each role, as the server enforces them.

import { Check } from "lucide-react";
import { roleText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import type { PermissionRow } from "./member";

const ROLES = ["owner", "admin", "approver", "finance", "developer"] as const;

export function RoleMatrix({ rows }: { readonly rows: readonly PermissionRow[] }) {
  const texts = useTexts();
  return (
    <section aria-labelledby="role-matrix" className="grid min-w-0 gap-3">
      <h2 id="role-matrix" className="text-lg">
        {texts("members.whatTheRolesAllow")}
      </h2>
      <p className="max-w-prose text-sm text-ink-soft">{texts("members.rolesHint")}</p>
      <div className="rounded-lg border border-line bg-surface">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="px-4 py-2.5 text-left text-xs font-medium text-ink-soft">
                {texts("members.may")}
              </th>
              {ROLES.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className="px-1 py-2.5 text-center text-xs font-medium text-ink-soft sm:px-3"
                >
                  <span className="capitalize max-sm:inline-block max-sm:[writing-mode:vertical-rl]">
                    {roleText(texts, role)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ act, label, roles }) => (
              <tr key={act} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <span className="block first-letter:uppercase">{label}</span>
                </th>
                {ROLES.map((role) => (
                  <td key={role} className="px-1 py-2 text-center sm:px-3">
                    {roles.includes(role) ? (
                      <>
                        <Check className="inline size-4.5 text-good" aria-hidden="true" />
                        <span className="sr-only">{texts("members.yes")}</span>
                      </>
                    ) : (
                      <span className="text-ink-soft">
                        <span aria-hidden="true">–</span>
                        <span className="sr-only">{texts("members.no")}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
