// The dashboard's queries of the audit log.
import { z } from "zod";
import { AUDIT_ACTOR_TYPES, AUDIT_GROUPS } from "@/server/domain/audit-groups";
import { cursor, instant, limit } from "./lists";

export const auditFilter = z.object({
  object_id: z.string().max(64).optional(),
  group: z.enum(AUDIT_GROUPS, { error: `must be one of ${AUDIT_GROUPS.join(", ")}` }).optional(),
  actor_type: z.enum(AUDIT_ACTOR_TYPES, { error: `must be one of ${AUDIT_ACTOR_TYPES.join(", ")}` }).optional(),
  actor_id: z.string().max(320).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
});

export const listAuditQuery = auditFilter.extend({ cursor: cursor.optional(), limit: limit.optional() });
