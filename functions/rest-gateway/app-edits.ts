import type { DataOf } from "../../shared/event.ts";
import { AppEdited } from "../../shared/events/app.ts";
import { permitted } from "../../shared/lifecycle/permissions.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/pictures.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import { answered, RestError, SUCCESS } from "../../shared/rest/answers.ts";
import { act } from "./acts.ts";
import { keepPicture } from "./attachments.ts";
import { bodyOf, type Call, type Handler, textField } from "./call.ts";
import { appInPath } from "./lookups.ts";

type Edit = Omit<DataOf<typeof AppEdited>, "app">;
type Body = Readonly<Record<string, unknown>>;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Edits exactly the copy that the path names (§2.9); what the body leaves out stays. */
export const modifyApp: Handler = async (call) => {
  const body = await bodyOf(call);
  const app = await appInPath(call);
  await demandStore(call, app);
  const { name } = app.metadata;
  const edit = { ...textsOf(body), ...(await pictureOf(call, body)) };
  await act(call, AppEdited.of(subjectOf(HelmApplication, { name }), { app: name, ...edit }));
  return answered(SUCCESS);
};

/** Gives a new application the icon that came with its first package: an address, or a picture in base64 (§5.2). */
export async function giveIcon(call: Call, app: string, text: string): Promise<void> {
  const icon = /^https?:\/\//i.test(text) ? text : await keepPicture(call, decoded(text), "icon");
  await act(call, AppEdited.of(subjectOf(HelmApplication, { name: app }), { app, icon }));
}

/** What the store shows is the store's to edit, though the path may name the workspace that it came from. */
async function demandStore({ ports, user }: Call, { metadata }: HelmApplication): Promise<void> {
  if (metadata.labels?.[LABEL.repoId] !== STORE_REPO) return;
  const wish = { verbs: ["update"], resource: "apps", name: metadata.name };
  const permission = await permitted(ports.access, user, wish);
  if (!permission.allowed) throw new RestError(403, permission.message);
}

function textsOf(body: Body): Edit {
  return present({
    name: textField(body, "name") || undefined,
    description: textField(body, "description"),
    abstraction: textField(body, "abstraction"),
    home: textField(body, "home"),
    category: textField(body, "category_id"),
  });
}

/** An icon, or a screenshot to add or to take away (§5.2). */
async function pictureOf(call: Call, body: Body): Promise<Edit> {
  const type = textField(body, "type") ?? "";
  if (type === "") return {};
  const content = textField(body, "attachment_content") ?? "";
  if (type === "icon") return { icon: content === "" ? "" : await keepPicture(call, decoded(content), "icon") };
  if (type !== "screenshot") throw new RestError(400, `type ${type} is neither icon nor screenshot`);
  if (content !== "") return { addScreenshot: await keepPicture(call, decoded(content), "screenshot") };
  const { sequence } = body;
  if (typeof sequence === "number" && Number.isInteger(sequence) && sequence >= 0 && sequence <= 5) {
    return { removeScreenshot: sequence };
  }
  throw new RestError(400, "say by sequence, from 0 to 5, which screenshot is to go");
}

function decoded(text: string): Uint8Array {
  // White space goes first: an expression that allows for it twice takes the square of the time.
  if (!BASE64.test(text.replaceAll(/\s+/g, ""))) throw new RestError(400, "attachment_content is no base64");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= MAX_ATTACHMENT_BYTES) return bytes;
  throw new RestError(413, `the picture has ${bytes.length} bytes, at most ${MAX_ATTACHMENT_BYTES} are taken`);
}
