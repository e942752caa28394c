import * as z from "zod";
import { defineEvent } from "../event.ts";

const Category = { category: z.string().min(1).max(253).describe("HelmCategory name.") };

const Texts = {
  description: z.string().max(4096).optional().describe("KubeSphere's console keeps the word for the icon here."),
  locale: z.string().max(4096).optional().describe("Names in other languages: JSON text from locale to name."),
};

/** A store manager makes a shelf. */
export const CategoryCreated = defineEvent({
  type: "category.created",
  summary: "A category with a name of its own is to be made.",
  data: z.object({ name: z.string().max(253).describe("Name to show, unique in the store."), ...Texts }),
  example: { name: "Databases", description: "database" },
});

/** A store manager renames or describes a shelf. */
export const CategoryEdited = defineEvent({
  type: "category.edited",
  summary: "A category is to be renamed or described; what is left out stays.",
  data: z.object({
    ...Category,
    name: z.string().max(253).optional().describe("Name to show, unique in the store."),
    ...Texts,
  }),
  example: { category: "ctg-uf9t4fb9ashy2y", name: "Databases" },
});

/** A store manager takes a shelf away. */
export const CategoryDeleted = defineEvent({
  type: "category.deleted",
  summary: "A category without applications is to be deleted; deleting what is gone already succeeds.",
  data: z.object(Category),
  example: { category: "ctg-uf9t4fb9ashy2y" },
});

/** An act on a category was accepted. */
export const CategoryChanged = defineEvent({
  type: "category.changed",
  summary: "A category was made, edited or deleted.",
  data: z.object({ ...Category, name: z.string().nullable().describe("Name that it shows now; null: it is gone.") }),
  example: { category: "ctg-uf9t4fb9ashy2y", name: "Databases" },
});

/** An act on a category was refused. */
export const CategoryActionRefused = defineEvent({
  type: "category.action.refused",
  summary: "An act on a category is not allowed.",
  data: z.object({
    category: z.string().describe("HelmCategory name."),
    action: z.string().describe("What was asked for."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().describe("Why it was refused."),
    operator: z.string().optional().describe("Who acted."),
  }),
  example: {
    category: "ctg-uf9t4fb9ashy2y",
    action: "delete",
    reason: "CategoryInUse",
    message: "category Databases owns application",
  },
});

/** The applications of a shelf were counted. */
export const CategoryCounted = defineEvent({
  type: "category.counted",
  summary: "How many active applications of the store are in a category.",
  data: z.object({ ...Category, total: z.int().describe("Active applications of the store.") }),
  example: { category: "ctg-uf9t4fb9ashy2y", total: 7 },
});
