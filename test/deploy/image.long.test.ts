// The same image, of a build that is made for it: PLAT_TEST says so there.
import './image.test.ts';
