export { ImagesPage } from './ImagesPage.tsx';
