import { z } from "zod";
import { LONGEST_VIEW_NAME, VIEW_LISTS } from "@/server/domain/saved-view";
import { object, text } from "./fields";

const list = z.enum(VIEW_LISTS, { error: `must be one of ${VIEW_LISTS.join(", ")}` });

/** Trimmed, since surrounding blanks are invisible. */
const name = z.string({ error: "must be a string" }).trim().normalize("NFC").pipe(text(1, LONGEST_VIEW_NAME));

export const viewsOfList = object({ list });

/** `query` is the query string of the list's URL; its position in the list is ignored. */
export const saveViewBody = object({ list, name, query: z.string().max(8_000, { error: "is too long" }) });

export const renameViewBody = object({ id: z.string().max(64), name });
