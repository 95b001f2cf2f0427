import { z } from 'zod';

/** The pages' content security policy forbids code from text, so the schema library must not even try. Imported before any schema. */
z.config({ jitless: true });
