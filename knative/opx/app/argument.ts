/** The application that a command is about. */
export const APP_ARGUMENT = { name: "APP", description: "id of the application: app-… or app-…-store" } as const;

/** What to do where there is no such application. */
export const APP_HINT = "see opx app list";
