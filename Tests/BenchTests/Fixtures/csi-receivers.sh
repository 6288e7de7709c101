# What a program does with the look-alike receivers of the CSI bench, section by section, each begun by a line "--- NAME".
# The arguments are a function and its arguments. One process does a whole list: in the bench, each start takes 0.3 s.
PATH=$PWD/hardware/bench/csi:$PATH
exec 2>&1

cfe() {
    graph script <<-'END'
	--- links
	show
	--- no link
	stream rp1-cfe-csi2_ch0
	link 'csi2:4->rp1-cfe-csi2_ch0:0' on
	--- set
	format imx219:0 SRGGB10 1640x1232
	format csi2:0 --like imx219:0
	node rp1-cfe-csi2_ch0 pRAA 1640x1232
	--- right
	stream --frames 4 rp1-cfe-csi2_ch0
	--- field any
	format csi2:0 any --like imx219:0
	stream rp1-cfe-csi2_ch0
	--- 16-bit code
	format csi2:0 --like imx219:0
	format csi2:4 SRGGB16
	stream rp1-cfe-csi2_ch0
	--- 16-bit node
	node rp1-cfe-csi2_ch0 RG16 1640x1232
	stream rp1-cfe-csi2_ch0
	--- 16-bit node of a 10-bit pad
	format csi2:0 --like imx219:0
	stream --first 4 rp1-cfe-csi2_ch0
	node rp1-cfe-csi2_ch0 pRAA 1640x1232
	--- other metadata
	format csi2:1 100x1 --like imx219:1
	stream rp1-cfe-csi2_ch0
	format csi2:1 --like imx219:1
	--- idle node
	link 'csi2:5->rp1-cfe-embedded:0' on
	stream rp1-cfe-csi2_ch0
	--- both
	stream --first 5 rp1-cfe-embedded=meta rp1-cfe-csi2_ch0
	--- no buffers
	stream --pause 0.5 --frames 6 rp1-cfe-embedded=meta rp1-cfe-csi2_ch0
	--- lost end
	! echo lose-end@2 >/sys/kernel/debug/framelock-csi/port0/faults
	stream --frames 4 rp1-cfe-embedded=meta rp1-cfe-csi2_ch0
	! echo >/sys/kernel/debug/framelock-csi/port0/faults
	link 'csi2:5->rp1-cfe-embedded:0' off
	--- after libcamera
	after-libcamera
	show
	--- front end left on
	link 'csi2:4->rp1-cfe-csi2_ch0:0' on
	format csi2:0 --like imx219:0
	stream rp1-cfe-csi2_ch0
	--- configuration left on
	link 'csi2:4->pisp-fe:0' off
	stream rp1-cfe-csi2_ch0
	--- all cut
	link 'rp1-cfe-fe_config:0->pisp-fe:1' off
	stream rp1-cfe-csi2_ch0
	--- front end
	after-libcamera
	format pisp-fe:2 --like pisp-fe:0
	node rp1-cfe-fe_image0 RG16 1640x1232
	link 'pisp-fe:2->rp1-cfe-fe_image0:0' on
	stream --first 4 rp1-cfe-fe_config rp1-cfe-fe_image0
	END
}

mainline() {
    graph script <<-'END'
	--- links
	show
	format imx219:0/0 SRGGB10 1640x1232
	routes csi2 0/0-1/0 0/1-2/0
	--- formats
	format imx219:0/1
	format csi2:0/0 --like imx219:0/0
	format csi2:0/1 --like imx219:0/1
	node rp1-cfe-csi2-ch0 pRAA 1640x1232
	node rp1-cfe-csi2-ch1 meta:MC1A 1640x2
	link 'csi2:1->rp1-cfe-csi2-ch0:0' on
	link 'csi2:2->rp1-cfe-csi2-ch1:0' on
	--- idle node
	stream rp1-cfe-csi2-ch0
	--- both
	stream rp1-cfe-csi2-ch1=meta rp1-cfe-csi2-ch0
	--- 16-bit node of a 10-bit pad
	node rp1-cfe-csi2-ch0 RG16 1640x1232
	stream rp1-cfe-csi2-ch1=meta rp1-cfe-csi2-ch0
	END
}

debian() {
    graph script <<-'END'
	--- stream
	format imx219:0 SRGGB10 1640x1232
	format csi2:0 --like imx219:0
	node rp1-cfe-csi2-ch0 pRAA 1640x1232
	link 'csi2:1->rp1-cfe-csi2-ch0:0' on
	stream rp1-cfe-csi2-ch0
	--- routes
	routes csi2 0/0-1/0 0/1-2/0
	END
}

unicam_streams() {
    graph script <<-'END'
	format imx219:0/0 SRGGB10 1640x1232
	routes unicam 0/0-1/0 0/1-2/0
	format unicam:0/0 --like imx219:0/0
	format unicam:0/1 --like imx219:0/1
	node unicam-image pRAA 1640x1232
	node unicam-embedded meta:MC1A 1640x2
	--- both
	stream --first 5 unicam-embedded=meta unicam-image
	END
}

legacy() {
    graph hold 3 unicam-embedded &
    graph script <<-'END'
	--- links
	show
	format imx219:0 SRGGB10 1640x1232
	node unicam-image pRAA 1640x1232
	--- held
	! sleep 1
	stream unicam-image
	! sleep 3
	--- released
	stream unicam-image
	--- other size
	node unicam-image pRAA 640x480
	stream unicam-image
	--- packed
	node unicam-image pRAA 1640x1232
	stream --first 5 unicam-image
	--- unpacked
	node unicam-image RG10 1640x1232
	stream --first 4 unicam-image
	--- both
	stream unicam-embedded=meta unicam-image
	END
}

legacy_video() {
    graph script <<-'END'
	--- set by the node
	node unicam-image pRAA 1920x1080
	format imx219:0
	--- set by the sensor
	format imx219:0 SRGGB10 640x480
	--- controls
	! v4l2-ctl -d /dev/video0 -C exposure
	--- stream
	stream unicam-image
	END
}

# The device file of a sensor's sub-device.
subdev() {
    local name
    name=$(grep -l "^$1" /sys/class/video4linux/v4l-subdev*/name)
    echo "/dev/$(basename "${name%/name}")"
}

# SENSOR CODE FOURCC SIZE: the blanking that the driver tells, and the frames that come.
mode() {
    cat <<-END
	--- $1 $4
	--sensor $1 format $1:0 $2 $4
	--sensor $1 format csi2:0 --like $1:0
	--sensor $1 format csi2:1 --like $1:1
	--sensor $1 node rp1-cfe-csi2_ch0 $3 $4
	! v4l2-ctl -d $(subdev "$1") -C vertical_blanking,horizontal_blanking,pixel_rate
	--sensor $1 stream rp1-cfe-csi2_ch0
	END
}

# A frame longer than its register counts, and a sensor that is turned around.
particulars() {
    cat <<-END
	--- long exposure
	! v4l2-ctl -d $(subdev imx477) -c vertical_blanking=200000
	! v4l2-ctl -d $(subdev imx477) -c exposure=150000
	--sensor imx477 stream --wait 10 rp1-cfe-csi2_ch0
	! tail -n 1 /sys/kernel/debug/framelock-csi/port1/truth
	--- flips
	! v4l2-ctl -d $(subdev imx219) -c horizontal_flip=1
	--sensor imx219 format imx219:0
	! v4l2-ctl -d $(subdev imx219) -c vertical_flip=1
	--sensor imx219 format imx219:0
	END
}

modes() {
    local sensor
    for sensor in "$@"; do echo "--sensor $sensor link 'csi2:4->rp1-cfe-csi2_ch0:0' on"; done
    for sensor in "$@"; do
        case $sensor in
            imx477)
                mode imx477 SRGGB12 pRCC 4056x3040
                mode imx477 SRGGB12 pRCC 2028x1520
                mode imx477 SRGGB12 pRCC 2028x1080
                mode imx477 SRGGB10 pRAA 1332x990
                ;;
            imx708)
                mode imx708 SRGGB10 pRAA 4608x2592
                mode imx708 SRGGB10 pRAA 2304x1296
                mode imx708 SRGGB10 pRAA 1536x864
                ;;
            imx219)
                mode imx219 SRGGB10 pRAA 3280x2464
                mode imx219 SRGGB10 pRAA 1920x1080
                mode imx219 SRGGB10 pRAA 640x480
                ;;
        esac
    done
}

sensors() { modes "$@" | graph script; }

two_sensors() { { modes imx219 imx477; particulars; } | graph script; }

"$@"
exit 0
