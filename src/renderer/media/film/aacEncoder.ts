import { registerAacEncoder } from '@mediabunny/aac-encoder';

// Runs once, when this module is loaded.
registerAacEncoder();
