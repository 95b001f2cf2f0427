import { registerAacEncoder } from '@mediabunny/aac-encoder';

// Once, as this file is loaded.
registerAacEncoder();
