declare module 'h264-mp4-encoder/embuild/dist/h264-mp4-encoder.web.js' {
  import type encoder from 'h264-mp4-encoder';
  export const HME: typeof encoder;
}
