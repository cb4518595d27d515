"""The elements and attributes of SVG that only affect the look (SVG 1.1, SVG 2, Filter Effects 1)."""

ELEMENTS = frozenset(
    """svg g defs symbol use image switch style title desc a view path rect circle ellipse line polyline polygon text tspan
    textPath tref marker pattern clipPath mask linearGradient radialGradient stop filter feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence animate animateMotion animateTransform mpath set""".split()
)
# Attributes that can be animated: the look and the position, never the target of a link.
ANIMATED = frozenset(
    """alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters
    color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
    font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
    glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation letter-spacing lighting-color
    marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order
    pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-overflow
    text-rendering transform-origin transform-box unicode-bidi vector-effect visibility white-space word-spacing
    writing-mode clip cursor d cx cy r rx ry x y x1 x2 y1 y2 fx fy fr width height points transform viewBox
    preserveAspectRatio pathLength dx dy rotate textLength lengthAdjust startOffset offset gradientTransform
    gradientUnits spreadMethod patternTransform patternUnits patternContentUnits maskUnits maskContentUnits
    clipPathUnits markerWidth markerHeight markerUnits orient refX refY amplitude azimuth baseFrequency bias
    diffuseConstant divisor edgeMode elevation exponent filterUnits in in2 intercept k1 k2 k3 k4 kernelMatrix
    kernelUnitLength limitingConeAngle mode numOctaves operator order pointsAtX pointsAtY pointsAtZ preserveAlpha
    primitiveUnits radius result scale seed slope specularConstant specularExponent stdDeviation stitchTiles
    surfaceScale tableValues targetX targetY type values xChannelSelector yChannelSelector z""".split()
)
ATTRIBUTES = ANIMATED | frozenset(
    """style method spacing side version baseProfile zoomAndPan enable-background font media color-profile filterRes
    viewTarget systemLanguage requiredFeatures requiredExtensions attributeName attributeType from to by begin dur
    end min max restart repeatCount repeatDur calcMode keyTimes keySplines keyPoints additive accumulate path origin
    text-align line-height text-indent font-feature-settings font-variation-settings font-kerning solid-color
    solid-opacity""".split()
)
# Attributes that contain words and not styles, so brackets in them have no meaning.
PLAIN = frozenset("id class lang role tabindex focusable".split())
