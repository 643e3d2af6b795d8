// Three times the flipped bits and the garbage: PLAT_TEST says so there.
import './flatgeobuf.test.ts';
